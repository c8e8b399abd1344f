"""The place where Pi's events meet the archive: what a session says is archived by itself, and nothing waits for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from freehold.archive.sync import PI_EVENTS, Event
from freehold.surfaces.pi.start import Start


class Ambient(Protocol):
    """What archives by itself: `archive.sync.Sync`."""

    @property
    def failing(self) -> bool:
        """Whether the last attempt failed."""
        ...

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

    def __init__(self, sync: Ambient, start: Start, ready: Callable[[], bool]) -> None:
        """`ready` says whether the archive is open, so that sending takes no more than a moment."""
        self._ready = ready
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
        """Send what is left, within the sync's own deadline.

        Where that would only wait, for a server that is down or one in this process that takes 1.7 s to open, the end
        is noted and the next session sends it: a prompt that was answered in a second must not take three.
        """
        payload = self._payload(told)
        if payload["session_file"] and (self._sync.failing or not self._ready()):
            self._sync.hear("shutdown", payload)
        else:
            await self._sync.observe("shutdown", payload)

    def _payload(self, told: Mapping[str, Any]) -> dict[str, Any]:
        session: Mapping[str, Any] = told.get("session") or {}
        entries, self._entries = self._entries, []
        return {
            "session_id": session.get("id") or "",
            "session_file": session.get("file") or "",
            "entries": entries,
            "cwd": self._start.cwd,
        }
