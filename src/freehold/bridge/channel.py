"""The agent's end of one socket: its handshake, then envelopes both ways."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketStream

from freehold.bridge import cipher, endpoint, handshake, peer
from freehold.bridge.cipher import Opener, Sealer
from freehold.errors import DeniedError, FreeholdError, UnavailableError
from freehold.wire import framing
from freehold.wire.framing import Record, RecordReader

_READ_BYTES = 256 * 1024
_RESTART = "Is the browser running, with the Freehold extension on? `freehold doctor` checks every step."


class Channel:
    """Messages to and from one host, sealed and opened; made by `open`."""

    extension: dict[str, Any]
    _sealer: Sealer
    _opener: Opener

    def __init__(self, stream: SocketStream) -> None:
        self._stream = stream
        self._records = RecordReader()

    @classmethod
    async def open(cls, socket: Path, key: bytes) -> Channel:
        """Connect and shake hands, within 5 s; errors as `BridgeClient.open` says."""
        try:
            with anyio.fail_after(handshake.SECONDS):
                return await cls._open(socket, key)
        except TimeoutError as error:
            message = f"The native host at {socket} did not answer within {handshake.SECONDS:g} s. {_RESTART}"
            raise UnavailableError("browser_not_connected", message) from error

    async def send(self, body: bytes) -> None:
        """Seal and send the JSON of one message; raise `UnavailableError` when the host is gone or it is too large.

        Not to be cancelled while the connection is to live on: half a record would stay on the socket.
        """
        await self._send(self._sealer.seal(body))

    async def receive(self) -> dict[str, Any]:
        """Return the host's next message.

        Raises `UnavailableError` (`connection_lost`) at the end, the error of a refusal, or a fault of 1.3.
        """
        record = await self._record()
        if record.kind == framing.CLEAR:
            raise _clear(record)
        return framing.decode(self._opener.open(record))

    async def aclose(self) -> None:
        """Close the socket."""
        with anyio.CancelScope(
            shield=True
        ):  # anyio closes a socket stream at once; a cancelled caller must not leak it.
            await self._stream.aclose()

    @classmethod
    async def _open(cls, socket: Path, key: bytes) -> Channel:
        stream = await _dial(socket)
        try:
            channel = cls(stream)
            await channel._shake(key)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await stream.aclose()
            raise
        return channel

    async def _shake(self, key: bytes) -> None:
        peer.check(self._stream.extra(SocketAttribute.raw_socket), os.geteuid())
        ours, text = handshake.new_nonce()
        await self._say(framing.clear_record(handshake.hello("agent", nonce=text)))
        record = await self._record()
        if record.kind != framing.CLEAR:
            raise DeniedError("handshake_invalid", "The host must answer a hello in the clear.")
        theirs = _greeting(record)
        self._sealer, self._opener = cipher.agent_ends(key, ours, handshake.nonce_of(theirs))
        await self._say(self._sealer.seal(framing.encode({"type": "prove"})))
        self.extension = _extension(await self._proof())

    async def _proof(self) -> Mapping[str, Any]:
        try:
            return await self.receive()
        except DeniedError as error:
            if error.code != "envelope_forged":
                raise
            message = "The native host holds another pairing key. Run `freehold setup`, then restart the browser."
            raise DeniedError("pairing_mismatch", message) from error

    async def _say(self, record: bytes) -> None:
        with suppress(UnavailableError):  # A host that refuses has closed already; why is still there to read.
            await self._send(record)

    async def _send(self, record: bytes) -> None:
        try:
            await self._stream.send(record)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise _lost() from error

    async def _record(self) -> Record:
        while (record := self._records.next()) is None:
            try:
                self._records.feed(await self._stream.receive(_READ_BYTES))
            except anyio.EndOfStream as error:
                self._records.finish()
                raise _lost() from error
            except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
                raise _lost() from error
        return record


async def _dial(socket: Path) -> SocketStream:
    try:
        with endpoint.reachable(socket) as short:
            return await anyio.connect_unix(short)
    except OSError as error:
        endpoint.remove_stale(socket)
        message = f"No native host answers at {socket}. {_RESTART}"
        raise UnavailableError("browser_not_connected", message) from error


def _greeting(record: Record) -> dict[str, Any]:
    message = framing.decode(record.body)
    error = handshake.refusal(message)
    if error is not None:
        raise error
    handshake.check_hello(message, "host", "agent")
    return message


def _extension(message: Mapping[str, Any]) -> dict[str, Any]:
    extension = message.get("extension")
    if message.get("type") != "proved" or not isinstance(extension, dict):
        raise DeniedError("handshake_invalid", "The host's first envelope must say `proved`, with the extension.")
    return extension  # pyright: ignore[reportUnknownVariableType]


def _clear(record: Record) -> FreeholdError:
    error = handshake.refusal(framing.decode(record.body))
    return error or DeniedError("handshake_invalid", "The host said something in the clear that is no refusal.")


def _lost() -> UnavailableError:
    return UnavailableError("connection_lost", "The native host ended the connection, as when the browser closes.")
