"""An agent that says exactly what a test wants, record by record."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketStream

from freehold.bridge import cipher, handshake
from freehold.bridge.cipher import Opener, Sealer
from freehold.wire import framing
from freehold.wire.framing import Record, RecordReader

SECONDS = 20.0


class RawAgent:
    """A socket to a host; `sealer` and `opener` are there after `shake`."""

    sealer: Sealer
    opener: Opener

    def __init__(self, stream: SocketStream) -> None:
        self.stream = stream
        self._records = RecordReader()

    async def shake(self, key: bytes) -> None:
        """Lead the handshake to its end."""
        await self.greet(key)
        await self.send(self.seal({"type": "prove"}))
        assert (await self.message())["type"] == "proved"

    async def greet(self, key: bytes) -> None:
        """Exchange the two hellos and derive the keys."""
        ours, text = handshake.new_nonce()
        await self.send(framing.clear_record(handshake.hello("agent", nonce=text)))
        theirs = framing.decode((await self.record()).body)
        self.sealer, self.opener = cipher.agent_ends(key, ours, handshake.nonce_of(theirs))

    def seal(self, message: Mapping[str, Any]) -> bytes:
        """Return the envelope of `message`."""
        return self.sealer.seal(framing.encode(message))

    def request(self, number: int, method: str = "tabs.list") -> bytes:
        """Return the envelope of a request."""
        return self.seal({"type": "request", "id": number, "method": method, "params": {}, "deadline_ms": 30_000})

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        await self.stream.send(data)

    async def message(self) -> dict[str, Any]:
        """Return what the next envelope holds."""
        return framing.decode(self.opener.open(await self.record()))

    async def refusal(self) -> dict[str, Any]:
        """Return the error that the host ends the connection with, having read to the end."""
        record = await self.record()
        assert record.kind == framing.CLEAR
        message = framing.decode(record.body)
        assert message["type"] == "refused"
        await self.end()
        return message["error"]

    async def end(self) -> None:
        """Wait until the host has closed the connection."""
        with anyio.fail_after(SECONDS):
            try:
                while True:
                    await self.stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                pass

    async def record(self) -> Record:
        """Return the next record."""
        with anyio.fail_after(SECONDS):
            while (record := self._records.next()) is None:
                self._records.feed(await self.stream.receive())
        return record


@asynccontextmanager
async def raw_agent(socket: Path) -> AsyncGenerator[RawAgent]:
    """Connect to the host at `socket` and say nothing yet."""
    async with await anyio.connect_unix(socket) as stream:
        yield RawAgent(stream)
