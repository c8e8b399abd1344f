"""The archive as one process uses it: the server is chosen at the first call and kept until it is gone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import anyio
from anyio.abc import TaskGroup, TaskStatus

from freehold.archive.backend import Backend
from freehold.archive.client import ArchiveClient
from freehold.errors import FreeholdError


class Connection:
    """An open way to a server: calls through `client`; `backend` says which server that is."""

    def __init__(self, backend: Backend, client: ArchiveClient, lost: Callable[[], bool] = lambda: False) -> None:
        """`lost` says whether the server was not there at the last call."""
        self.backend = backend
        self.client = client
        self._lost = lost

    @property
    def stale(self) -> bool:
        """Whether to look again which server is there: one that merely listened here may have been closed."""
        return self.backend.kind == "listening" and self._lost()


Opener = Callable[[], AbstractAsyncContextManager[Connection]]


class Archive:
    """Opens a connection when it is first needed; `tasks` keeps it open, since a server in this process runs there."""

    def __init__(self, tasks: TaskGroup, opener: Opener) -> None:
        self._tasks = tasks
        self._opener = opener
        self._connection: Connection | None = None
        self._scope: anyio.CancelScope | None = None
        self._turn = anyio.Lock()

    @property
    def connected(self) -> bool:
        """Whether a connection is open."""
        return self._connection is not None

    async def connection(self) -> Connection:
        """Return the connection; raises what choosing a backend does, and `database_failed` of an embedded server."""
        async with self._turn:
            if self._connection is not None and self._connection.stale:
                self._close()
            if self._connection is None:
                self._connection = await self._opened()
            return self._connection

    async def client(self) -> ArchiveClient:
        """Return the client of the connection."""
        return (await self.connection()).client

    async def forget(self) -> None:
        """Close the connection, so that the next call looks again which server is there."""
        async with self._turn:
            self._close()

    def _close(self) -> None:
        if self._scope is not None:
            self._scope.cancel()
        self._connection = self._scope = None

    async def _opened(self) -> Connection:
        outcome: Connection | FreeholdError = await self._tasks.start(self._keep)
        if isinstance(outcome, FreeholdError):
            raise outcome
        return outcome

    async def _keep(self, *, task_status: TaskStatus[Connection | FreeholdError]) -> None:
        """Keep a connection open until the task group ends or it is forgotten.

        Entered and left in a task of its own: the cancel scopes of a server in this process allow nothing else.
        """
        try:
            with anyio.CancelScope() as scope:
                async with self._opener() as connection:
                    self._scope = scope
                    task_status.started(connection)
                    await anyio.sleep_forever()
        except FreeholdError as error:
            # Raised where it is asked for, not here, where it would end everything that runs beside it.
            task_status.started(error)
