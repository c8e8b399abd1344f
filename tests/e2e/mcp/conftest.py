"""A server in a process of its own, as an agent would start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

DEADLINE = 120.0
FAKE = (sys.executable, str(Path(__file__).parent / "fake_server.py"))

CLIENT = {"name": "bare wire", "version": "1"}
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}


class Events:
    """What a server writes to standard error; the fake one tells an event a line."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.touch()

    def text(self) -> str:
        return self.file.read_text()

    async def wait_for(self, event: str) -> None:
        """Return once `event` was told."""
        with anyio.fail_after(DEADLINE):
            while f"event {event}\n" not in self.text():
                await anyio.sleep(0.02)


@pytest.fixture
def events(tmp_path: Path) -> Events:
    return Events(tmp_path / "stderr")


class Wire:
    """The bare pipes of a server: lines of JSON in and out."""

    def __init__(self, process: Process) -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self.stdin = process.stdin
        self._stdout = BufferedByteReceiveStream(process.stdout)

    async def send(self, message: Any) -> None:
        await self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def send_bytes(self, data: bytes) -> None:
        await self.stdin.send(data)

    async def receive(self) -> Any:
        """Return the next message; every line the server writes must be one."""
        with anyio.fail_after(DEADLINE):
            line = await self._stdout.receive_until(b"\n", 64 << 20)
        return json.loads(line)

    async def rest(self) -> bytes:
        """Return what the server writes from here to its end."""
        said = self._stdout.buffer
        with anyio.fail_after(DEADLINE):
            async for part in self._stdout:
                said += part
        return said

    async def initialize(self, version: str = "2025-11-25") -> Any:
        await self.send({"id": 0, "method": "initialize", "params": {**INITIALIZE, "protocolVersion": version}})
        answer = await self.receive()
        await self.send({"method": "notifications/initialized"})
        return answer["result"]

    async def call(self, number: int, name: str, arguments: Any = None) -> None:
        params: dict[str, Any] = {"name": name, "arguments": arguments or {}}
        await self.send({"id": number, "method": "tools/call", "params": params})

    async def end(self) -> int:
        """Wait for the process to end by itself; its exit status."""
        with anyio.fail_after(DEADLINE):
            return await self.process.wait()


WireOpener = Callable[..., AbstractAsyncContextManager[Wire]]


@pytest.fixture
def open_wire(events: Events) -> WireOpener:
    @asynccontextmanager
    async def open_wire(*arguments: str, command: tuple[str, ...] = FAKE) -> AsyncGenerator[Wire]:
        # An agent starts us with Python's usual buffers, whatever the tests run with.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        with events.file.open("a") as stderr:
            process = await anyio.open_process(
                [*command, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=environment,
            )
        try:
            yield Wire(process)
        finally:
            if process.returncode is None:
                process.kill()
            await process.aclose()

    return open_wire
