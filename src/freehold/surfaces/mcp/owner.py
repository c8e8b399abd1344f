"""Holds the one runtime of a server: opened by the first call, in a task of its own, closed when the server ends."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import anyio

from freehold.errors import UnavailableError
from freehold.tools.result import ToolResult

CLOSE_LIMIT = 5.0
"""Seconds that closing the runtime may take, a browser of our own included."""

log = logging.getLogger(__name__)


class Caller(Protocol):
    """What a server needs of a runtime."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run the tool `name`; errors come back as results."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """Where an agent works: the session's name, the project's folder, and the agent's own name for the user to see."""

    session: str
    project: Path
    agent: str = ""


Opener = Callable[[Place], AbstractAsyncContextManager[Caller]]
"""Opens a runtime for that place."""
Finding = Callable[[], Awaitable[Place]]
"""Finds the place; asked once, when the runtime is opened."""


class _Holding:
    """One opening of the runtime: `done` once it has come about or failed."""

    def __init__(self) -> None:
        self.done = anyio.Event()
        self.runtime: Caller | None = None
        self.error: Exception | None = None


class RuntimeOwner:
    """An async context manager around the runtime that is opened on demand.

    The runtime is entered and left in a task of its own: a request's task may be cancelled at any moment, and anyio's
    cancel scopes must be left in the task that entered them. Nor may a request start that task with `TaskGroup.start`,
    which waits for the end of what it started when it is cancelled.
    """

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._lock = anyio.Lock()
        self._stop = anyio.Event()
        self._holding: _Holding | None = None
        self._tasks = anyio.create_task_group()

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self._stop.set()
        return await self._tasks.__aexit__(kind, error, trace)

    async def runtime(self, find: Finding) -> Caller:
        """Return the runtime; the first call opens it for the place that `find` gives.

        What opening raises is raised here, and the next call tries again.
        """
        async with self._lock:
            if self._holding is None:
                place = await find()
                self._holding = _Holding()
                self._tasks.start_soon(self._hold, self._holding, place)
            holding = self._holding
        await holding.done.wait()
        if holding.runtime is None:
            raise holding.error or UnavailableError("cancelled", "The server is ending. Start it again.")
        return holding.runtime

    async def _hold(self, holding: _Holding, place: Place) -> None:
        with anyio.CancelScope() as scope:
            try:
                async with self._opener(place) as holding.runtime:
                    # From here on only `_stop` ends it: a server that is cancelled must still close its browser.
                    scope.shield = True
                    holding.done.set()
                    await self._stop.wait()
                    scope.deadline = anyio.current_time() + CLOSE_LIMIT
            except Exception as error:
                holding.error = error
                if holding.done.is_set():
                    # The server outlives its runtime: the next call opens another.
                    log.exception("the runtime ended")
            finally:
                self._holding = None
                holding.done.set()
