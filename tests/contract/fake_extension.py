"""An extension without a browser: it starts the real native host and speaks to its standard input and output."""

from __future__ import annotations

import base64
import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from freehold.bridge import endpoint, handshake, pairing
from freehold.errors import FreeholdError
from freehold.wire import framing

Answer = Callable[[int, Mapping[str, Any]], Awaitable[Any]]
SECONDS = 20.0
HELLO = {**handshake.hello("extension"), "browser": "Chromium 156", "instance": "0123456789abcdef"}


async def echo(agent: int, request: Mapping[str, Any]) -> Any:
    """Answer with what was asked; `hang` is never answered."""
    if request["method"] == "hang":
        await anyio.sleep_forever()
    return {"agent": agent, "method": request["method"], "params": request["params"]}


class FakeExtension:
    """One host process with us in Chrome's place. `received` holds every message it sent, chunks put together."""

    def __init__(self, process: Process, home: Path, answer: Answer) -> None:
        assert process.stdout is not None
        self.process = process
        self.home = home
        self.socket = endpoint.socket_path(home / "run", process.pid)
        self.received: list[dict[str, Any]] = []
        self.sizes: list[int] = []
        self.reading = True
        self._answer = answer
        self._output = BufferedByteReceiveStream(process.stdout)
        self._chunks: dict[int, list[str]] = {}
        self._changed = anyio.Event()
        self._sending = anyio.Lock()

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send one message as Chrome would."""
        await self.send_bytes(framing.native_frame(framing.encode(message)))

    async def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        async with self._sending:
            await self.process.stdin.send(data)

    async def event(self, agent: int, name: str, params: Mapping[str, Any]) -> None:
        """Send an event to one agent."""
        message = {"type": "event", "name": name, "params": params}
        await self.send({"type": "message", "agent": agent, "message": message})

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return the first message of type `kind` with these fields, waiting for it."""
        with anyio.fail_after(SECONDS):
            while True:
                changed = self._changed
                for message in self.received:
                    if message.get("type") == kind and fields.items() <= message.items():
                        return message
                await changed.wait()

    def kill(self) -> None:
        """End the host as a crash would."""
        self.process.send_signal(signal.SIGKILL)

    async def ended(self) -> int:
        """Return the host's exit code once it has ended."""
        with anyio.fail_after(SECONDS):
            return await self.process.wait()

    async def close_port(self) -> None:
        """Close both pipes, as the browser does when it ends."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        await self.process.stdout.aclose()
        await self.process.stdin.aclose()

    async def serve(self) -> None:
        """Read and answer what the host sends until it ends, or `reading` is False after a message."""
        async with anyio.create_task_group() as answers:
            try:
                while self.reading:
                    message = await self._read()
                    self.received.append(message)
                    self._changed.set()
                    self._changed = anyio.Event()
                    if message["type"] == "message" and message["message"].get("type") == "request":
                        answers.start_soon(self._respond, message["agent"], message["message"])
            except (anyio.EndOfStream, anyio.IncompleteRead, anyio.ClosedResourceError):
                answers.cancel_scope.cancel()

    async def _read(self) -> dict[str, Any]:
        while True:
            length = framing.native_length(await self._output.receive_exactly(framing.NATIVE_HEADER_BYTES))
            self.sizes.append(length)
            message = framing.decode(await self._output.receive_exactly(length))
            if message["type"] != "chunk":
                return message
            parts = self._chunks.setdefault(message["chunk"], [])
            assert message["index"] == len(parts)
            parts.append(message["data"])
            if len(parts) == message["count"]:
                del self._chunks[message["chunk"]]
                return framing.decode(b"".join(base64.b64decode(part) for part in parts))

    async def _respond(self, agent: int, request: Mapping[str, Any]) -> None:
        response: dict[str, Any] = {"type": "response", "id": request["id"]}
        try:
            response["result"] = await self._answer(agent, request)
        except FreeholdError as error:
            response["error"] = error.to_wire()
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # The host may be gone by now.
            await self.send({"type": "message", "agent": agent, "message": response})


def make_home(folder: Path) -> Path:
    """Return a Freehold folder with a pairing key."""
    home = folder / "home"
    home.mkdir(mode=0o700, exist_ok=True)
    pairing.make(home / "pairing.key")
    return home


@asynccontextmanager
async def extension(
    home: Path,
    *,
    hello: Mapping[str, Any] | None = HELLO,
    answer: Answer = echo,
    origin: str = endpoint.EXTENSION_ORIGIN,
    cwd: Path | None = None,
) -> AsyncGenerator[FakeExtension]:
    """Start a host in `home` and say `hello` (None: say nothing), and wait until it has answered that."""
    command = [sys.executable, "-I", "-m", "freehold.host", "--home", str(home), origin]
    async with await anyio.open_process(command, cwd=cwd, stderr=None, env=dict(os.environ)) as process:
        fake = FakeExtension(process, home, answer)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(fake.serve)
                if hello is not None:
                    await fake.send(hello)
                    if hello == HELLO:
                        await fake.until("hello")
                yield fake
                tasks.cancel_scope.cancel()
        finally:
            if process.returncode is None:
                process.kill()
