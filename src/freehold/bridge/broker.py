"""The host's side of the socket: lets agents in, numbers them and carries their messages to whoever listens."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import Any, Protocol

from freehold.bridge.connection import Connection, Terms
from freehold.errors import FreeholdError, UnavailableError

_LEAVE_SECONDS = 1.0


class Listener(Protocol):
    """Who hears the agents. While a call waits, no more is read from that agent; the others go on."""

    async def agent_opened(self, agent: int) -> None:
        """Agent number `agent` has proved that it holds the key."""
        ...

    async def agent_message(self, agent: int, message: dict[str, Any]) -> None:
        """A message of that agent."""
        ...

    async def agent_closed(self, agent: int) -> None:
        """That agent is gone; its number is never used again."""
        ...

    def fault(self, error: FreeholdError) -> None:
        """A connection was refused or ended with `error`."""
        ...


class Broker:
    """Any number of agents on one socket; a fault of one ends that one only."""

    def __init__(self, terms: Terms, listener: Listener) -> None:
        self._terms = terms
        self._listener = listener
        self._agents: dict[int, Connection] = {}
        self._open: dict[asyncio.Task[None], Connection] = {}
        self._last = 0
        self._server: asyncio.Server | None = None

    async def serve(self, listening: socket.socket) -> None:
        """Accept agents on `listening` from now on."""
        self._server = await asyncio.start_unix_server(self._accept, sock=listening)

    def send(self, agent: int, message: Mapping[str, Any]) -> None:
        """Send `message` to an agent, without waiting; one that has just gone is passed over in silence."""
        connection = self._agents.get(agent)
        if connection is None:
            return
        try:
            connection.send(message)
        except UnavailableError as error:
            self._listener.fault(error)
            if message.get("type") == "response":
                connection.send({"type": "response", "id": message.get("id"), "error": error.to_wire()})

    def close(self) -> None:
        """End every connection and stop listening."""
        if self._server is not None:
            self._server.close()
        for connection in self._open.values():
            connection.abort()

    async def wait_closed(self) -> None:
        """Wait after `close` until every connection has been taken leave of; what takes over a second is cut off."""
        if not self._open:
            return
        _, late = await asyncio.wait(self._open, timeout=_LEAVE_SECONDS)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=_LEAVE_SECONDS)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A plain function, for asyncio reports each cancelled coroutine of its own callback as a fault.
        connection = Connection(reader, writer, self._terms)
        task = asyncio.ensure_future(self._serve(connection))
        self._open[task] = connection
        task.add_done_callback(self._open.pop)

    async def _serve(self, connection: Connection) -> None:
        try:
            if await connection.admit():
                await self._attend(connection)
        except FreeholdError as error:
            self._listener.fault(error)
            connection.refuse(error)
        except OSError:
            pass  # The peer went away while it was being checked; there is nobody left to tell.
        finally:
            connection.close()

    async def _attend(self, connection: Connection) -> None:
        self._last += 1
        agent = self._last
        self._agents[agent] = connection
        try:
            await self._listener.agent_opened(agent)
            while (message := await connection.receive()) is not None:
                await self._listener.agent_message(agent, message)
        finally:
            del self._agents[agent]
            await self._listener.agent_closed(agent)
