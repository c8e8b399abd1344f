"""Messages as lines of JSON (PROTOCOL 4): how Pi's extension and its worker talk. Nothing here does input or output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from freehold.errors import DeniedError
from freehold.wire import framing

LIMIT = 256 * 1024 * 1024
"""Bytes that a line may have; a longer one is thrown away as it comes in."""

_LF = b"\n"


def line(message: Mapping[str, Any]) -> bytes:
    """Return `message` as one line; halves of surrogate pairs are escaped, as JSON has it.

    Raises what `framing.encode` does where it is not JSON.
    """
    return framing.encode(message) + _LF


class LineReader:
    """Cuts a stream into messages: `feed` what arrived, then take `messages`.

    Lines end with LF only; U+2028 and U+2029 are part of a string. What is no JSON object is skipped and counted in
    `skipped`.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.skipped = 0
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._whole: list[bytes] = []

    def feed(self, data: bytes) -> None:
        """Take bytes as they came from the stream."""
        first, *rest = data.split(_LF)
        self._add(first)
        for part in rest:
            self._end()
            self._add(part)

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield the whole messages that have come, each once."""
        lines, self._whole = self._whole, []
        for body in lines:
            try:
                yield framing.decode(body)
            except DeniedError:
                self.skipped += 1

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._limit:
            self._parts.append(part)

    def _end(self) -> None:
        if self._size > self._limit:
            self.skipped += 1
        else:
            self._whole.append(b"".join(self._parts))
        self._parts, self._size = [], 0
