"""What a subscriber has not read yet, kept small without losing what matters."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import anyio

Event = tuple[str, dict[str, Any]]

LIMIT = 1_000

# Progress of a load: of these the newest tells the state. Everything else (tabs, dialogs, downloads, detached, crashed,
# a file chooser) happens once. Screencast frames need no rule: Chrome stops after a few that are not acknowledged.
_PROGRESS = frozenset(
    {
        "Page.frameStartedNavigating",
        "Page.frameStartedLoading",
        "Page.frameRequestedNavigation",
        "Page.frameNavigated",
        "Page.navigatedWithinDocument",
        "Page.frameStoppedLoading",
        "Page.frameDetached",
        "Page.domContentEventFired",
        "Page.loadEventFired",
    }
)


class EventStream:
    """An async iterable of `(name, params)`, for one reading task; it ends when the connection does.

    Of 1,000 unread events the oldest of a load's progress is dropped for a new one. Where there is none, `put` says so.
    """

    def __init__(self) -> None:
        self._unread: deque[Event] = deque()
        self._changed = anyio.Event()
        self._ended = False

    def put(self, name: str, params: dict[str, Any]) -> bool:
        """Take an event; return False when the reader is 1,000 events behind of which none may be dropped."""
        if len(self._unread) >= LIMIT and not self._drop():
            return False
        self._unread.append((name, params))
        self._changed.set()
        return True

    def end(self) -> None:
        """Let the reader finish what is there, then stop."""
        self._ended = True
        self._changed.set()

    def drain(self) -> list[Event]:
        """Return what has come and was not read yet, without waiting."""
        unread = list(self._unread)
        self._unread.clear()
        return unread

    def __aiter__(self) -> EventStream:
        """Return itself."""
        return self

    async def __anext__(self) -> Event:
        """Return the next event, waiting for it as long as the connection lives."""
        while not self._unread:
            if self._ended:
                raise StopAsyncIteration
            self._changed = anyio.Event()
            await self._changed.wait()
        return self._unread.popleft()

    def _drop(self) -> bool:
        for place, (name, params) in enumerate(self._unread):
            if _is_progress(name, params):
                del self._unread[place]
                return True
        return False


def _is_progress(name: str, params: Mapping[str, Any]) -> bool:
    return name == "debugger.event" and params.get("method") in _PROGRESS
