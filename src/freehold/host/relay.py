"""Moves messages between the extension's port and the agents' socket."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from freehold.bridge import endpoint, handshake
from freehold.bridge.broker import Broker
from freehold.bridge.connection import Terms
from freehold.errors import DeniedError, FreeholdError
from freehold.host import log
from freehold.host.port import Port


class Relay:
    """One port and, once the extension has said hello, one socket of agents."""

    def __init__(self, port: Port, home: Path) -> None:
        self._port = port
        self._home = home
        self._run_folder = home / "run"
        self._socket = endpoint.socket_path(self._run_folder, os.getpid())
        self._broker: Broker | None = None

    async def run(self) -> None:
        """Carry messages until the browser closes the port."""
        hello = await self._next()
        if hello is None:
            return
        await self._greet(hello)
        while (message := await self._next()) is not None:
            self._take(message)

    async def close(self) -> None:
        """End the agents' connections, remove the socket and leave the port, without waiting for a browser to read."""
        self._port.abort()
        if self._broker is not None:
            self._socket.unlink(missing_ok=True)
            self._broker.close()
            await self._broker.wait_closed()

    async def agent_opened(self, agent: int) -> None:
        """Tell the extension (see `broker.Listener`)."""
        await self._port.write({"type": "agent_opened", "agent": agent})

    async def agent_message(self, agent: int, message: dict[str, Any]) -> None:
        """Hand an agent's message to the extension."""
        await self._port.write({"type": "message", "agent": agent, "message": message})

    async def agent_closed(self, agent: int) -> None:
        """Tell the extension."""
        await self._port.write({"type": "agent_closed", "agent": agent})

    def fault(self, error: FreeholdError) -> None:
        """Note what ended a connection."""
        log.append(self._run_folder, error)

    async def _next(self) -> dict[str, Any] | None:
        while True:
            try:
                return await self._port.read()
            except DeniedError as error:
                self.fault(error)
                if error.code == "envelope_too_large":
                    return None

    async def _greet(self, hello: dict[str, Any]) -> None:
        refusal = None
        try:
            handshake.check_hello(hello, "extension", "host")
        except DeniedError as error:
            refusal = error
        try:
            await self._listen(Terms(self._home / "pairing.key", hello, refusal))
        except (FreeholdError, OSError) as error:
            refusal = error if isinstance(error, FreeholdError) else _cannot_listen(self._socket, error)
        if refusal is None:
            await self._port.write(handshake.hello("host", pid=os.getpid()))
            return
        self.fault(refusal)
        await self._port.write(handshake.refused(handshake.refused_by("host", refusal, "extension")))

    async def _listen(self, terms: Terms) -> None:
        endpoint.prepare(self._run_folder)
        endpoint.sockets(self._run_folder)
        broker = Broker(terms, self)
        await broker.serve(endpoint.listen(self._socket))
        self._broker = broker

    def _take(self, message: Mapping[str, Any]) -> None:
        if message.get("type") == "ping":
            self._port.write_now({"type": "pong"})
            return
        agent, inner = message.get("agent"), message.get("message")
        if message.get("type") == "message" and isinstance(agent, int) and isinstance(inner, dict) and self._broker:
            self._broker.send(agent, inner)  # pyright: ignore[reportUnknownArgumentType]
            return
        self.fault(DeniedError("handshake_invalid", "The extension sent a message that the protocol does not know."))


def _cannot_listen(path: Path, error: OSError) -> FreeholdError:
    message = f"The native host cannot listen at {path}: {error.strerror}. Run `freehold doctor`."
    return DeniedError("permissions_unsafe", message, {"path": str(path)})
