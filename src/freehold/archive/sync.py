"""Ambient sync: what Pi's sessions say goes into the archive by itself, and nothing waits for it.

The session files are the record. What could not be sent, because the server or we were gone, is found there later.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from freehold.archive.archive import Archive
from freehold.archive.cursors import Cursors, Stamp
from freehold.archive.delivery import Delivery
from freehold.archive.sessions import pi, sources
from freehold.archive.sessions.conversation import Conversation
from freehold.errors import FreeholdError, UsageError

Event = Literal["start", "settled", "compact", "switch", "shutdown"]

PI_EVENTS: Mapping[str, Event] = {
    "session_start": "start",
    "agent_settled": "settled",
    "session_before_compact": "compact",
    "session_before_switch": "switch",
    "session_before_fork": "switch",
    "session_shutdown": "shutdown",
}
"""Pi's own names for them."""

DEBOUNCE = 0.75
"""Seconds after a settled run before it is sent; another run within that time is sent with it."""

DEADLINES: Mapping[str, float] = {"compact": 5.0, "switch": 2.0, "shutdown": 1.5}
"""Seconds for which these events wait until everything is sent. What is not goes on, or is caught up later."""


@dataclass(frozen=True, slots=True)
class _Session:
    """What is known of a session: its file, or where Pi keeps none, its entries."""

    id: str
    file: Path | None
    entries: tuple[dict[str, Any], ...]
    folder: str

    async def conversations(self) -> list[Conversation]:
        if self.file is not None and self.file.exists():
            return await to_thread.run_sync(pi.conversations, self.file)
        return pi.relayed(self.id, self.entries, self.folder)


class Sync:
    """Archives the sessions of one Pi process.

    `tell` is called with a sentence for the user when archiving begins to fail, once, and when it has caught up.
    `wait` is the clock that the debounce goes by.
    """

    def __init__(
        self,
        tasks: TaskGroup,
        archive: Archive,
        open_cursors: Callable[[], Cursors],
        *,
        data: Path,
        tell: Callable[[str], None],
        wait: Callable[[float], Awaitable[None]] = anyio.sleep,
        deadlines: Mapping[str, float] = DEADLINES,
    ) -> None:
        """`open_cursors` opens where the cursors are; `data` is the folder of the embedded server."""
        self._tasks = tasks
        self._archive = archive
        self._open_cursors = open_cursors
        self._cursors: Cursors | None = None
        self._data = data
        self._tell = tell
        self._wait = wait
        self._deadlines = deadlines
        self._pending: dict[str, _Session] = {}
        self._relayed: dict[str, dict[str, dict[str, Any]]] = {}
        self._caught_up: set[str] = set()
        self._refused: set[str] = set()
        self._failing = False
        self._generation = 0
        self._turn = anyio.Lock()

    @property
    def failing(self) -> bool:
        """Whether the last attempt failed."""
        return self._failing

    async def observe(self, event: Event, payload: Mapping[str, Any]) -> None:
        """Hear an event; for all but `start` and `settled`, return when everything is sent or the deadline is over."""
        done = self.hear(event, payload)
        with anyio.move_on_after(self._deadlines.get(event, 0)):
            await done.wait()

    def hear(self, event: Event, payload: Mapping[str, Any]) -> anyio.Event:
        """Take note of an event and return at once; what is returned is set when everything is sent.

        `payload` is `{session_id, session_file, entries, cwd}`, of which the last three may be missing; `entries` are
        those that are new, or all of them. A server that fails never raises here.
        """
        self._note(payload)
        self._generation += 1
        done = anyio.Event()
        if event in {"start", "settled"}:
            self._tasks.start_soon(self._later, self._generation, done)
        else:
            self._tasks.start_soon(self._flush, done)
        return done

    async def drain(self, seconds: float) -> None:
        """Send what is new at once, and wait for it no longer than `seconds`."""
        done = self.hear("shutdown", {})
        with anyio.move_on_after(seconds):
            await done.wait()

    async def flush(self) -> None:
        """Send what is new of the sessions seen, then of all that were to be archived and have changed since."""
        async with self._turn:
            sessions, self._pending = self._pending, {}
            try:
                await self._send(sessions)
            except FreeholdError as error:
                self._pending = sessions | self._pending
                self._failed(error)
            else:
                self._recovered()

    def _note(self, payload: Mapping[str, Any]) -> None:
        session = str(payload.get("session_id") or "")
        if not session:
            return
        file = Path(payload["session_file"]) if payload.get("session_file") else None
        heard = self._relayed.setdefault(session, {})
        if file is None:  # else the file is the record, and nothing of it need be held here
            heard.update((str(entry.get("id")), entry) for entry in payload.get("entries") or ())
        self._pending[session] = _Session(session, file, tuple(heard.values()), str(payload.get("cwd") or ""))
        if file is None:
            return
        try:
            # Before anything else, so that it is caught up whatever happens to us.
            self._kept().know(pi.SOURCE, file)
        except FreeholdError as error:
            self._failed(error)

    async def _later(self, generation: int, done: anyio.Event) -> None:
        await self._wait(DEBOUNCE)
        if generation == self._generation:
            await self._flush(done)

    async def _flush(self, done: anyio.Event) -> None:
        try:
            await self.flush()
        finally:
            done.set()

    async def _send(self, sessions: Mapping[str, _Session]) -> None:
        if not sessions and self._caught_up:
            return
        connection = await self._archive.connection()
        backend = connection.backend.identity(self._data)
        deliver = Delivery(connection.client, self._kept(), backend)
        for session in sessions.values():
            await self._session(deliver, session, backend)
        if backend not in self._caught_up or self._failing:
            await self._catch_up(deliver, backend)
            self._caught_up = {backend}

    async def _session(self, deliver: Delivery, session: _Session, backend: str) -> None:
        stamp = Stamp.of(session.file) if session.file else None
        sent = await self._all(deliver, await session.conversations())
        if sent and stamp and session.file:
            self._kept().finish(backend, session.file, stamp)

    async def _catch_up(self, deliver: Delivery, backend: str) -> None:
        """Send what has changed of every known session: all of them where the backend is a new one."""
        cursors = self._kept()
        for source, file in cursors.sessions():
            stamp = Stamp.of(file)
            if stamp is None or cursors.finished(backend, file):
                continue
            found = await to_thread.run_sync(sources.of(source).conversations, file)
            if await self._all(deliver, found):
                cursors.finish(backend, file, stamp)

    async def _all(self, deliver: Delivery, conversations: list[Conversation]) -> bool:
        """Deliver the threads of a session. One that the server refuses for itself is told once and passed over."""
        for conversation in conversations:
            try:
                await deliver(conversation)
            except UsageError as error:
                if conversation.thread_id not in self._refused:
                    self._tell(f"The archive does not take {conversation.thread_id}: {error.message}")
                self._refused.add(conversation.thread_id)
        return not self._refused.intersection(one.thread_id for one in conversations)

    def _kept(self) -> Cursors:
        if self._cursors is None:
            self._cursors = self._open_cursors()
        return self._cursors

    def _failed(self, error: FreeholdError) -> None:
        if not self._failing:
            self._tell(f"Conversations are not being archived: {error.message} They are caught up later.")
        self._failing = True

    def _recovered(self) -> None:
        if self._failing:
            self._tell("Conversations are being archived again; what was missed is there now.")
        self._failing = False
