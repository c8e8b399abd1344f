"""Chrome's `--remote-debugging-pipe`: JSON messages, each ended by a NUL byte, on descriptors 3 and 4 of the browser.

Used only to load the extension and to end the browser; all driving goes through the extension.
"""

from __future__ import annotations

import itertools
from typing import Any

import anyio
import msgspec
from anyio.abc import ByteStream
from anyio.streams.buffered import BufferedByteReceiveStream

from freehold.errors import UnavailableError

_LARGEST = 1 << 20


class DevtoolsPipe:
    """Our end of the pipe. Chrome ends itself when this end closes, for instance because our process was killed."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._messages = BufferedByteReceiveStream(stream)
        self._ids = itertools.count(1)

    async def call(self, method: str, *, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Send one command, to the browser or to the target attached as `session`, and return its result.

        Raises `UnavailableError` (`browser_failed`) where there is none.
        """
        number = next(self._ids)
        request = {"id": number, "method": method, "params": params}
        if session:
            request["sessionId"] = session
        try:
            await self._stream.send(msgspec.json.encode(request) + b"\0")
            while True:
                message = msgspec.json.decode(await self._messages.receive_until(b"\0", _LARGEST), type=dict[str, Any])
                if message.get("id") == number:
                    break
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, anyio.IncompleteRead) as error:
            raise UnavailableError("browser_failed", f"The browser ended during {method}.") from error
        if "error" in message:
            reason = message["error"].get("message", "no reason given")
            raise UnavailableError("browser_failed", f"The browser refused {method}: {reason}")
        return message.get("result", {})

    async def aclose(self) -> None:
        """Close our end."""
        await self._stream.aclose()
