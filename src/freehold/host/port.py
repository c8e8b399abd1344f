"""Chrome's native messaging on two pipes: JSON objects behind four length bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import IO, Any

from freehold.errors import DeniedError
from freehold.wire import framing


class Port:
    """The extension's port. `read` and `write` may be used by any number of tasks, `read` by one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._chunks = 0

    async def read(self) -> dict[str, Any] | None:
        """Return the extension's next message, None when the browser has closed the port.

        Raises `DeniedError` for what is not a message; `envelope_too_large` cannot be read over, the rest can.
        """
        try:
            head = await self._reader.readexactly(framing.NATIVE_HEADER_BYTES)
            body = await self._reader.readexactly(framing.native_length(head))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return framing.decode(body)

    async def write(self, message: Mapping[str, Any]) -> None:
        """Send `message`, in chunks where it is long, and wait while the browser is behind; nothing when it is gone.

        Between two chunks others may write, so one long message does not hold up the rest.
        """
        self._chunks += 1
        try:
            for body in framing.split(message, self._chunks):
                self._writer.write(framing.native_frame(body))
                await self._writer.drain()
        except ConnectionError:
            return
        except (ValueError, RecursionError) as error:
            raise DeniedError("handshake_invalid", "A message cannot be said in JSON.") from error

    def write_now(self, message: Mapping[str, Any]) -> None:
        """Send a short message without waiting: reading from the browser must never depend on writing to it."""
        self._writer.write(framing.native_frame(framing.encode(message)))

    def abort(self) -> None:
        """Leave without sending what still waits; whoever waits in `write` goes on."""
        # Python 3.11 fails on a pipe whose other end has closed it already, as a browser does with both at once.
        if not self._writer.transport.is_closing():
            self._writer.transport.abort()


async def open_port(source: IO[bytes], sink: IO[bytes]) -> Port:
    """Return the port on two pipes; raise `ValueError` or `OSError` when they are not pipes or sockets."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), source)
    transport, protocol = await loop.connect_write_pipe(_sink_protocol, sink)
    return Port(reader, asyncio.StreamWriter(transport, protocol, None, loop))


def _sink_protocol() -> asyncio.StreamReaderProtocol:
    # The only public protocol of asyncio that does a writer's flow control; its reader stays unused.
    return asyncio.StreamReaderProtocol(asyncio.StreamReader())
