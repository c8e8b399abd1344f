"""The place where Pi's events and the memory's extraction meet.

The extension relays the events that `relayed` names, in their order, with the entries that are new in the session. An
`Extraction` observes them; it is drained when the session ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from freehold.app.pi.settings import PiSettings
from freehold.model.completer import Completer
from freehold.surfaces.pi.start import Start

Show = Callable[[str], None]
"""Shows in the footer what the memory is doing; an empty text for nothing."""


class Extraction(Protocol):
    """What writes memories by itself."""

    def observe(self, event: str, payload: Mapping[str, Any]) -> None:
        """Take one event of Pi, in the order in which they happened; returns at once."""
        ...

    async def drain(self, seconds: float) -> None:
        """Let what is under way come to its end within `seconds`; return at once where nothing is."""
        ...

    def status(self) -> str:
        """Return what a user wants to know, in a line or two."""
        ...


def extraction(start: Start, settings: PiSettings, completer: Completer, show: Show) -> Extraction | None:
    """Return the session's extraction, or None where the user has not turned it on.

    A session inside another's is a sub-agent's: what it says is for its caller, and nothing is kept of it.
    """
    del start, settings, completer, show
    return None


def relayed(*, observed: bool, recall_seconds: float) -> list[dict[str, Any]]:
    """Return the events that the extension relays: with which fields, entries or none, and how long it waits.

    `observed`: an extraction wants them. `recall_seconds`: how long a prompt may wait for recall, 0 for no recall.
    """
    wanted = [_event("session_compact", "reason", "willRetry", seconds=_REFRESH_SECONDS)]
    if observed or recall_seconds:
        entries = bool(recall_seconds) or observed
        wanted.append(_event("before_agent_start", "messageType", "prompt", entries=entries, seconds=recall_seconds))
    if observed:
        wanted += [
            _event("agent_start"),
            _event(
                "turn_end", "turnIndex", "outcome", "continue", "messageEntryId", "toolResultEntryIds", entries=True
            ),
            _event("agent_before_settle", "outcome", "continue", entries=True),
            _event("agent_settled", "aborted", entries=True),
            _event("session_before_compact", "reason", "willRetry", entries=True),
            _event("session_tree", "newLeafId", "oldLeafId"),
        ]
    return wanted


_REFRESH_SECONDS = 2.0


def _event(name: str, *fields: str, entries: bool = False, seconds: float = 0) -> dict[str, Any]:
    return {"name": name, "fields": list(fields), "entries": entries, "seconds": seconds}
