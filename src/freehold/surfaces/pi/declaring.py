"""What the worker declares when a session begins: all that the extension registers and relays."""

from __future__ import annotations

from typing import Any

from freehold import __version__
from freehold.app.pi.settings import PiSettings
from freehold.surfaces.pi import memory_events
from freehold.surfaces.pi.command import Command
from freehold.surfaces.pi.declarations import declarations
from freehold.surfaces.pi.start import Start

DISCOVERY = "tool_search"
"""Pi's own tool that finds deferred ones; it costs the model 141 tokens (cl100k), so it is asked for only with them."""

FREEHOLD_WORDS = ("status", "browsers", "pause", "resume")

FREEHOLD = Command(
    "freehold", "Freehold: status, browsers, pause or resume the browser for this session", FREEHOLD_WORDS
)
NMEM_CONFIG = Command(
    "nmem-config",
    "The archive: whether sessions begin with its context bundle, and which server is used",
    ("injectContextBundle true", "injectContextBundle false"),
)
_PMEM = "The project's memory: what it wrote, what waits, on, off, undo"


def declared(start: Start, settings: PiSettings, notices: list[str]) -> dict[str, Any]:
    """Return the answer to `start`; what the user should be told is added to `notices`."""
    if start.version and start.version != __version__:
        notices.append(
            f"Pi's package is Freehold {start.version}, its Python side {__version__}: update the older one."
        )
    tools = declarations(settings)
    recall = settings.recall_seconds if settings.recall else 0
    return {
        "version": __version__,
        "tools": tools,
        "discovery": DISCOVERY if any(tool["exposure"] == "deferred" for tool in tools) else "",
        "commands": commands(start),
        "events": memory_events.relayed(
            observed=memory_events.observes(start, settings), recall_seconds=recall, archived=archives(start, settings)
        ),
        "drain_seconds": settings.extract_drain_seconds,
    }


def archives(start: Start, settings: PiSettings) -> bool:
    """Tell whether this session is archived: not a sub-agent's, whose words are for its caller."""
    return not start.nested and settings.tools.archive != "off"


def commands(start: Start) -> list[dict[str, Any]]:
    """Return the slash commands."""
    own = [FREEHOLD, NMEM_CONFIG]
    pmem = [Command("pmem", _PMEM, memory_events.PMEM_WORDS)] if memory_events.commanded(start) else []
    return [command.declaration() for command in [*own, *pmem]]
