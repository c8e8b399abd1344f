"""What the worker declares when a session begins: all that the extension registers and relays."""

from __future__ import annotations

from typing import Any

from freehold import __version__
from freehold.app.pi.settings import PiSettings
from freehold.surfaces.pi import memory_events
from freehold.surfaces.pi.declarations import declarations
from freehold.surfaces.pi.start import Start

DRAIN_SECONDS = 15.0
"""How long the end of a session may wait for a memory that is being written."""

DISCOVERY = "tool_search"
"""Pi's own tool that finds deferred ones; it costs the model 141 tokens (cl100k), so it is asked for only with them."""

FREEHOLD_WORDS = ("status", "browsers", "pause", "resume")

COMMANDS: tuple[dict[str, Any], ...] = (
    {
        "name": "freehold",
        "description": "Freehold: status, browsers, pause or resume the browser for this session",
        "completions": list(FREEHOLD_WORDS),
    },
)


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
        "commands": list(COMMANDS),
        "events": memory_events.relayed(observed=observes(start, settings), recall_seconds=recall),
        "drain_seconds": DRAIN_SECONDS,
    }


def observes(start: Start, settings: PiSettings) -> bool:
    """Tell whether memories are written of what happens in this session: a sub-agent's is for its caller alone."""
    return settings.auto_extract and not start.nested
