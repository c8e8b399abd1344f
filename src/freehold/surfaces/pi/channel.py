"""The worker's end of the wire: lines of JSON on standard input and output (PROTOCOL 4)."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from freehold.wire import jsonl

_CHUNK = 1 << 18


class Channel:
    """Reads messages of Pi's extension and sends frames to it. `messages` is for one task, `send` for any."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._lines = jsonl.LineReader()

    @property
    def skipped(self) -> int:
        """How many lines were no messages."""
        return self._lines.skipped

    async def messages(self) -> AsyncGenerator[dict[str, Any]]:
        """Yield what comes until the extension closes its end, or dies."""
        while True:
            try:
                data = await self._reader.read(_CHUNK)
            except ConnectionError:
                return
            if not data:
                return
            self._lines.feed(data)
            for message in self._lines.messages():
                yield message

    def send(self, frame: Mapping[str, Any]) -> None:
        """Send `frame` without waiting: the extension reads always, and holds no more than the answers it asked for."""
        if not self._writer.transport.is_closing():
            self._writer.write(jsonl.line(frame))

    async def flush(self) -> None:
        """Wait until the system has what was sent."""
        try:
            await self._writer.drain()
        except ConnectionError:
            return


async def open_channel() -> Channel:
    """Return the channel on this process's standard input and output.

    From then on what anyone prints goes to standard error, and standard input is empty for whatever we start. Raises
    `ValueError` or `OSError` where they are no pipes or sockets.
    """
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_CHUNK)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(os.dup(0), "rb", 0))
    transport, protocol = await loop.connect_write_pipe(_sink_protocol, os.fdopen(os.dup(1), "wb", 0))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return Channel(reader, asyncio.StreamWriter(transport, protocol, None, loop))


def _sink_protocol() -> asyncio.StreamReaderProtocol:
    # The only public protocol of asyncio that does a writer's flow control; its reader stays unused.
    return asyncio.StreamReaderProtocol(asyncio.StreamReader())
