"""The extraction of one of Pi's sessions, and what `/pmem` does with it."""

from __future__ import annotations

from functools import partial

import msgspec

from freehold.app import project_store
from freehold.app.pi import settings as pi_settings
from freehold.app.pi.settings import PiSettings
from freehold.browser.marks import block
from freehold.errors import FreeholdError
from freehold.memory.extraction.commands import catalog
from freehold.memory.extraction.extraction import Extraction
from freehold.memory.extraction.settings import ExtractionSettings
from freehold.model.completer import Completer
from freehold.surfaces.pi import memory_events
from freehold.surfaces.pi.command import Said
from freehold.surfaces.pi.start import Start


class SessionExtraction(Extraction):
    """The extraction of a session's project, with what `/pmem` says to it."""

    async def command(self, words: str) -> Said:
        """Do what was typed behind `/pmem`."""
        try:
            reply = await catalog.call(self, words)
        except FreeholdError as error:
            return Said(f"{error.message} [{error.code}]", "error")
        return Said(block(reply.text))


def extraction(start: Start, settings: PiSettings, completer: Completer) -> SessionExtraction:
    """Return the session's extraction; `completer` is the model that it may ask. Raises what opening the store does."""
    store = project_store.opened(start.project)
    return SessionExtraction(
        store,
        completer,
        chosen(settings),
        remember=partial(_remember, start),
        inputs_told=True,
        takes_over=memory_events.takes_over(start, settings),
    )


def chosen(settings: PiSettings) -> ExtractionSettings:
    """Return what the settings say about memory that writes itself."""
    return ExtractionSettings(
        auto_extract=settings.auto_extract,
        extract_model=settings.extract_model,
        mode=settings.extract_mode,
        every=settings.extract_every,
        idle_seconds=settings.extract_idle_seconds,
        daily_passes=settings.daily_passes,
        daily_tokens=settings.daily_tokens,
    )


def _remember(start: Start, changed: ExtractionSettings) -> None:
    """Keep what `/pmem on` and `off` say: in the user's own file, whatever a project tightens."""
    settings = pi_settings.load(start.agent_path)
    pi_settings.save(msgspec.structs.replace(settings, auto_extract=changed.auto_extract), start.agent_path)
