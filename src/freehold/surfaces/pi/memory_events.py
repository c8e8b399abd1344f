"""The place where Pi's events and the memory's extraction meet.

The extension relays the events that `relayed` names, in their order, with the entries that are new in the session. An
`Extraction` observes them with the payload that `payload` makes; it runs beside the session and is drained at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from freehold.app.pi.settings import PiSettings
from freehold.model.completer import Answer, Completer, Request
from freehold.surfaces.pi.command import Said
from freehold.surfaces.pi.start import Start

Show = Callable[[str], None]
"""Shows in the footer what the memory is doing; an empty text for nothing."""

_REFRESH_SECONDS = 2.0

PMEM_WORDS = (
    "status",
    "list",
    "show",
    "search",
    "save",
    "edit",
    "forget",
    "pending",
    "on",
    "off",
    "extract",
    "undo",
    "doctor",
    "path",
)
"""The words of `/pmem`, those of the extraction's own catalogue, which takes 0.1 s to import."""


class Extraction(Protocol):
    """What writes memories by itself."""

    def observe(self, event: str, payload: Mapping[str, Any]) -> None:
        """Take one event of Pi, in the order in which they happened; returns at once."""
        ...

    async def run(self) -> None:
        """Work through what settles, until `drain`."""
        ...

    async def drain(self, seconds: float) -> bool:
        """Let what is under way come to its end within `seconds`; return at once where nothing is."""
        ...

    async def command(self, words: str) -> Said:
        """Do what was typed behind `/pmem`."""
        ...


class BusyCompleter:
    """A `Completer` that says in the footer when the memory is at work."""

    def __init__(self, completer: Completer, show: Show) -> None:
        self._completer = completer
        self._show = show

    async def complete(self, request: Request) -> Answer:
        """Answer `request` as `Completer.complete` says."""
        self._show("memory busy")
        try:
            return await self._completer.complete(request)
        finally:
            self._show("")


def observes(start: Start, settings: PiSettings) -> bool:
    """Tell whether an extraction watches this session.

    A session inside another's is a sub-agent's: what it says is for its caller. Where memory does not write by itself,
    only sessions in which a person may still ask for it (`/pmem extract`) are watched.
    """
    return not start.nested and (settings.auto_extract or start.mode in {"tui", "rpc"})


def commanded(start: Start) -> bool:
    """Tell whether a person may type `/pmem` in this session: also as `pi -p "/pmem on"`, else a model is sent it."""
    return not start.nested


def takes_over(start: Start, settings: PiSettings) -> bool:
    """Tell whether this session works through what earlier ones left.

    A run of one prompt does not: it is to end with its answer, and would have to be waited for.
    """
    return observes(start, settings) and settings.auto_extract and start.mode not in {"print", "json"}


def payload(told: Mapping[str, Any], session: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event's payload as an extraction takes it: `session_id` and `session_file` beside its own fields."""
    return {**told, "session_id": session.get("id") or "", "session_file": session.get("file") or ""}


def relayed(*, observed: bool, recall_seconds: float, archived: bool) -> list[dict[str, Any]]:
    """Return the events that the extension relays: with which fields, entries or none, and how long it waits.

    `observed`: an extraction wants them. `recall_seconds`: how long a prompt may wait for recall, 0 for no recall.
    `archived`: the session is archived.
    """
    wanted = [_event("session_compact", "reason", "willRetry", seconds=_REFRESH_SECONDS)]
    if observed or recall_seconds:
        wanted.append(_event("before_agent_start", "messageType", "prompt", entries=True, seconds=recall_seconds))
    if observed:
        wanted += [
            _event("input", "text", "source"),
            _event("agent_start"),
            _event("turn_end", "turnIndex", "outcome", "continue", entries=True),
            _event("agent_before_settle", "outcome", "continue", entries=True),
            _event("session_tree", "newLeafId", "oldLeafId"),
        ]
    if observed or archived:
        wanted += [
            _event("agent_settled", "aborted", entries=True),
            _event("session_before_compact", "reason", "willRetry", entries=True),
        ]
    return wanted


def _event(name: str, *fields: str, entries: bool = False, seconds: float = 0) -> dict[str, Any]:
    return {"name": name, "fields": list(fields), "entries": entries, "seconds": seconds}
