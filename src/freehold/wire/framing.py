"""How messages become bytes: the records of the Unix socket (PROTOCOL 1.1) and Chrome's native framing (section 2).

Nothing here does input or output. Only the standard library is imported: the native host starts with this module.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn, cast

from freehold.errors import DeniedError

CLEAR = 0
SEALED = 1
CLEAR_LIMIT = 4_096
SEALED_LIMIT = 64 * 1024 * 1024
NATIVE_LIMIT_TO_EXTENSION = 1_048_576
NATIVE_LIMIT_FROM_EXTENSION = 64 * 1024 * 1024
CHUNK_ABOVE = 900_000
CHUNK_BYTES = 600_000

_HEADER = struct.Struct(">BI")
_NATIVE_HEADER = struct.Struct("=I")
HEADER_BYTES = _HEADER.size
NATIVE_HEADER_BYTES = _NATIVE_HEADER.size


class Record(NamedTuple):
    """One record of the socket; `header` is kept as it came because it is part of an envelope's associated data."""

    kind: int
    header: bytes
    body: bytes


def encode(message: Mapping[str, Any]) -> bytes:
    """Return `message` as compact UTF-8 JSON; `ValueError`, `TypeError` or `RecursionError` where none is."""
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # A page's text may hold half a surrogate pair, which UTF-8 cannot carry (RFC 8259, 8.2). It can only stand inside a
    # JSON string, and there Python's backslash escape of it is JSON's own.
    return text.encode("utf-8", "backslashreplace")


def decode(body: bytes) -> dict[str, Any]:
    """Return the JSON object in `body`; raise `DeniedError` (`handshake_invalid`) when it is anything else."""
    try:
        message = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise DeniedError("handshake_invalid", "A message was not JSON in UTF-8.") from error
    if not isinstance(message, dict):
        raise DeniedError("handshake_invalid", "A message was not a JSON object.")
    return cast(dict[str, Any], message)


def _refuse_constant(name: str) -> NoReturn:
    # Python reads NaN and Infinity, which are not JSON and which the browser would refuse.
    raise ValueError(name)


def header(kind: int, length: int) -> bytes:
    """Return the five bytes before a record's body of `length` bytes."""
    return _HEADER.pack(kind, length)


def clear_record(message: Mapping[str, Any]) -> bytes:
    """Return a clear record; `hello` and `refused` are the only messages sent so."""
    body = encode(message)
    return header(CLEAR, len(body)) + body


class RecordReader:
    """Cuts a stream into records: `feed` what arrived, then take `next` until it is None, then `finish` at the end.

    `sealed_limit` may be changed between records: before a peer has proved that it holds the key it gets little room.
    """

    def __init__(self, sealed_limit: int = SEALED_LIMIT) -> None:
        self.sealed_limit = sealed_limit
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Take bytes as they came from the stream."""
        self._buffer += data

    def next(self) -> Record | None:
        """Return the next whole record, None when more bytes are needed; raise `DeniedError` once none can come."""
        if len(self._buffer) < HEADER_BYTES:
            return None
        head = bytes(self._buffer[:HEADER_BYTES])
        kind, length = _HEADER.unpack(head)
        self._check(kind, length)
        end = HEADER_BYTES + length
        if len(self._buffer) < end:
            return None
        body = bytes(memoryview(self._buffer)[HEADER_BYTES:end])
        del self._buffer[:end]
        return Record(kind, head, body)

    def finish(self) -> None:
        """Say that the stream has ended; raise `DeniedError` (`envelope_truncated`) when that cut a record."""
        if self._buffer:
            raise DeniedError("envelope_truncated", "The stream ended inside a record. Connect again.")

    def _check(self, kind: int, length: int) -> None:
        if kind not in (CLEAR, SEALED):
            raise DeniedError("handshake_invalid", f"A record has kind {kind}; valid are 0 (clear) and 1 (sealed).")
        limit = CLEAR_LIMIT if kind == CLEAR else self.sealed_limit
        if length > limit:
            message = f"A record announces {length} bytes; here it may have at most {limit}."
            raise DeniedError("envelope_too_large", message, {"length": length, "limit": limit})


def native_frame(body: bytes) -> bytes:
    """Return `body` behind Chrome's four length bytes."""
    return _NATIVE_HEADER.pack(len(body)) + body


def native_length(head: bytes) -> int:
    """Return the length that Chrome's four bytes announce; raise `DeniedError` when Chrome could not have sent it."""
    length: int = _NATIVE_HEADER.unpack(head)[0]
    if length > NATIVE_LIMIT_FROM_EXTENSION:
        raise DeniedError("envelope_too_large", f"The browser announces a message of {length} bytes.")
    return length


def split(message: Mapping[str, Any], chunk: int) -> Iterator[bytes]:
    """Yield the JSON bodies that carry `message` to the extension: itself, or above 900,000 bytes chunks named `chunk`.

    Bytes are counted after encoding: Chrome closes the port at 1,048,577 of them, however few characters they are.
    """
    body = encode(message)
    if len(body) <= CHUNK_ABOVE:
        yield body
        return
    count = -(-len(body) // CHUNK_BYTES)
    for index in range(count):
        data = base64.b64encode(body[index * CHUNK_BYTES : (index + 1) * CHUNK_BYTES]).decode()
        yield encode({"type": "chunk", "chunk": chunk, "index": index, "count": count, "data": data})
