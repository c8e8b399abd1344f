"""`/nmem-config`: whether sessions begin with the archive's context bundle, and, to read only, which server is used."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from anyio import to_thread

from freehold.app import own_archive
from freehold.app.pi import settings as pi_settings
from freehold.archive import context, context_settings
from freehold.archive.backend import Backend
from freehold.archive.context_settings import ContextSettings
from freehold.errors import FreeholdError
from freehold.surfaces.pi.command import Said
from freehold.surfaces.pi.start import Start


class NmemConfigCommand:
    """Answers `/nmem-config`."""

    def __init__(self, start: Start, choose: Callable[[], Backend] = own_archive.chosen) -> None:
        """`choose` says which server is meant."""
        self._start = start
        self._choose = choose

    async def run(self, words: str) -> Said:
        """Change what `words` say, in effect from the next session; show the setting and the server."""
        folder = self._start.agent_path
        chosen = pi_settings.load(folder)
        settings = ContextSettings(inject_context_bundle=chosen.inject_context_bundle)
        if words.strip():
            settings = context_settings.changed(settings, words)
            value = settings.inject_context_bundle
            pi_settings.save(msgspec.structs.replace(chosen, inject_context_bundle=value), folder)
        backend = await to_thread.run_sync(self._backend)
        return Said(context.described(settings, backend, just_set=bool(words.strip())))

    def _backend(self) -> Backend | FreeholdError:
        try:
            return self._choose()
        except FreeholdError as error:
            return error
