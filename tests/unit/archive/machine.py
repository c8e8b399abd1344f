"""A user's machine whose sessions are archived, process by process."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup

from freehold.archive.archive import Archive
from freehold.archive.backend import Backend
from freehold.archive.cursors import Cursors
from freehold.archive.sync import DEADLINES, Sync

from .pi_session import PiSession
from .stub import Stub, connection_to

PATIENT = dict.fromkeys(DEADLINES, 60.0)
"""Long enough that no machine is too slow for it; what a deadline does has a test of its own."""


class Debounce:
    """The clock of the debounce: whoever waits goes on when a test says that the time is over."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self._waiting: list[anyio.Event] = []

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        event = anyio.Event()
        self._waiting.append(event)
        await event.wait()

    async def first_is_over(self) -> None:
        """Let who has waited longest go on, and see it do what it does."""
        await anyio.wait_all_tasks_blocked()
        self._waiting.pop(0).set()
        await anyio.wait_all_tasks_blocked()

    async def over(self) -> None:
        await anyio.wait_all_tasks_blocked()
        for event in self._waiting:
            event.set()
        self._waiting.clear()


class Machine:
    """One user's machine: where cursors and sessions are, and what the user was told."""

    def __init__(self, folder: Path, stub: Stub, name: str = "one") -> None:
        self.folder = folder / name
        self.stub = stub
        self.told: list[str] = []
        self.clock = Debounce()
        self.backend = Backend("named", "http://one", "a test names it")

    def session(self, name: str = "") -> PiSession:
        return PiSession(self.folder / "sessions", *([name] if name else []))

    @asynccontextmanager
    async def sync(self, deadlines: Mapping[str, float] = PATIENT) -> AsyncGenerator[Sync]:
        """Run a process's sync until the end of the block, which ends everything that it still does."""
        opened: list[Cursors] = []

        def cursors() -> Cursors:
            opened.append(Cursors(self.folder / "cursors"))
            return opened[-1]

        try:
            async with anyio.create_task_group() as tasks:
                yield self._sync(tasks, cursors, deadlines)
                tasks.cancel_scope.cancel()
        finally:
            for one in opened:
                one.close()

    def _sync(self, tasks: TaskGroup, cursors: Any, deadlines: Mapping[str, float]) -> Sync:
        self.archive = Archive(tasks, lambda: connection_to(self.stub, backend=self.backend))
        return Sync(
            tasks,
            self.archive,
            cursors,
            data=self.folder,
            tell=self.told.append,
            wait=self.clock,
            deadlines=deadlines,
        )

    async def once(self, session: PiSession) -> None:
        """Be a process that sees this session settle and ends."""
        async with self.sync() as sync:
            await sync.observe("shutdown", session.payload)
