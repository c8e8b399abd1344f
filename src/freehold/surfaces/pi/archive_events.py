"""The place where Pi's events meet the archive: what a session says is archived by itself, and nothing waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from freehold.archive.sync import PI_EVENTS, Event
from freehold.surfaces.pi.start import Start


class Ambient(Protocol):
    """What archives by itself: `archive.sync.Sync`."""

    def hear(self, event: Event, payload: Mapping[str, Any]) -> object:
        """Take note of an event; returns at once."""
        ...

    async def observe(self, event: Event, payload: Mapping[str, Any]) -> None:
        """Take note of an event, and return when everything is sent or the event's deadline is over."""
        ...


class ArchiveEvents:
    """Tells the sync of one session what Pi tells of it.

    Pi ends a session before it switches to another or forks, and that end is told by itself.
    """

    def __init__(self, sync: Ambient, start: Start) -> None:
        self._sync = sync
        self._start = start
        self._entries: list[Mapping[str, Any]] = []

    def begin(self) -> None:
        """Tell of the start, at which the sync catches up with what was missed."""
        session = self._start.session
        self._sync.hear("start", self._payload({"session": {"id": session.id, "file": session.file}}))

    def observe(self, event: str, told: Mapping[str, Any]) -> None:
        """Take one event of Pi with its payload; returns at once."""
        # Each entry is relayed once, with whichever event comes next: also with those that the sync does not know.
        self._entries += told.get("entries") or ()
        if known := PI_EVENTS.get(event):
            self._sync.hear(known, self._payload(told))

    async def end(self, told: Mapping[str, Any]) -> None:
        """Send what is left, within the sync's own deadline."""
        await self._sync.observe("shutdown", self._payload(told))

    def _payload(self, told: Mapping[str, Any]) -> dict[str, Any]:
        session: Mapping[str, Any] = told.get("session") or {}
        entries, self._entries = self._entries, []
        return {
            "session_id": session.get("id") or "",
            "session_file": session.get("file") or "",
            "entries": entries,
            "cwd": self._start.cwd,
        }
