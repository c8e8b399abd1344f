"""The host's end of one agent's connection: its handshake, then envelopes both ways."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freehold.bridge import cipher, handshake, pairing, peer
from freehold.bridge.cipher import Opener, Sealer
from freehold.errors import DeniedError, FreeholdError
from freehold.wire import framing
from freehold.wire.framing import Record, RecordReader

_READ_BYTES = 256 * 1024
_CLOSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms agents are let in.

    `extension` is the extension's hello; `refusal` is told to every agent when that hello did not fit.
    `waiting_limit` is how many bytes may wait for an agent that does not read before its connection ends.
    """

    key_file: Path
    extension: Mapping[str, Any]
    refusal: FreeholdError | None = None
    uid: int = os.geteuid()
    handshake_seconds: float = handshake.SECONDS
    waiting_limit: int = framing.SEALED_LIMIT


class Connection:
    """One agent, from its hello to its end. `send` and `receive` need `admit` to have returned True."""

    _sealer: Sealer
    _opener: Opener

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, terms: Terms) -> None:
        self._reader = reader
        self._writer = writer
        self._terms = terms
        self._records = RecordReader(sealed_limit=framing.CLEAR_LIMIT)

    async def admit(self) -> bool:
        """Lead the handshake; return False when the peer left without a word, raise `FreeholdError` to refuse it."""
        peer.check(self._writer.get_extra_info("socket"), self._terms.uid)
        try:
            async with asyncio.timeout(self._terms.handshake_seconds):
                return await self._greet() and await self._prove()
        except TimeoutError as error:
            message = f"No complete handshake came within {self._terms.handshake_seconds:g} s. Connect again."
            raise DeniedError("handshake_invalid", message) from error

    async def receive(self) -> dict[str, Any] | None:
        """Return the agent's next message, None when it has closed; raise `DeniedError` for a fault of PROTOCOL 1.3."""
        record = await self._record()
        return None if record is None else framing.decode(self._opener.open(record))

    def send(self, message: Mapping[str, Any]) -> None:
        """Seal `message` and hand it to the kernel without waiting; an agent that does not read loses its connection.

        Raises `UnavailableError` (`result_too_large`) when it does not fit into an envelope.
        """
        if self._writer.transport.get_write_buffer_size() > self._terms.waiting_limit:
            self._writer.transport.abort()
            return
        self._writer.write(self._sealer.seal(framing.encode(message)))

    def refuse(self, error: FreeholdError) -> None:
        """Tell the peer why, in the clear, and close."""
        if not self._writer.transport.is_closing():
            self._writer.write(framing.clear_record(handshake.refused(error)))
        self.close()

    def close(self) -> None:
        """Close once what was sent has left, or after a second: a peer that does not read must not keep us."""
        self._writer.close()
        asyncio.get_running_loop().call_later(_CLOSE_SECONDS, self._writer.transport.abort)

    def abort(self) -> None:
        """Close at once."""
        self._writer.transport.abort()

    async def _greet(self) -> bool:
        record = await self._record()
        if record is None:
            return False
        if record.kind != framing.CLEAR:
            raise DeniedError("handshake_invalid", "The first record must be a clear hello.")
        hello = framing.decode(record.body)
        self._judge(hello)
        theirs = handshake.nonce_of(hello)
        ours, text = handshake.new_nonce()
        key = pairing.read(self._terms.key_file)
        self._sealer, self._opener = cipher.host_ends(key, theirs, ours)
        self._writer.write(framing.clear_record(handshake.hello("host", nonce=text, pid=os.getpid())))
        return True

    def _judge(self, hello: Mapping[str, Any]) -> None:
        try:
            handshake.check_hello(hello, "agent", "host")
        except DeniedError as error:
            raise handshake.refused_by("host", error, "agent") from error
        if self._terms.refusal is not None:
            raise self._terms.refusal

    async def _prove(self) -> bool:
        record = await self._record()
        if record is None:
            return False
        try:
            proof = framing.decode(self._opener.open(record))
        except DeniedError as error:
            if error.code != "envelope_forged":
                raise
            message = "The pairing key of this agent is not the host's. Run `freehold setup`, then restart the agent."
            raise DeniedError("pairing_mismatch", message) from error
        if proof.get("type") != "prove":
            raise DeniedError("handshake_invalid", "The first envelope must hold a message of type `prove`.")
        self._records.sealed_limit = framing.SEALED_LIMIT
        self.send({"type": "proved", "extension": dict(self._terms.extension)})
        return True

    async def _record(self) -> Record | None:
        while (record := self._records.next()) is None:
            data = b""
            with suppress(ConnectionError):
                data = await self._reader.read(_READ_BYTES)
            if not data:
                self._records.finish()
                return None
            self._records.feed(data)
        return record
