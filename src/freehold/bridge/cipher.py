"""Envelopes: the two keys of a connection and what is sealed and opened under them (PROTOCOL 1.1 and 1.2)."""

from __future__ import annotations

import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from freehold.errors import DeniedError, UnavailableError
from freehold.wire import framing
from freehold.wire.framing import Record

NONCE_BYTES = 32
_COUNTER = struct.Struct(">Q")
_OVERHEAD = _COUNTER.size + 16
PLAIN_LIMIT = framing.SEALED_LIMIT - _OVERHEAD


class Sealer:
    """Seals what one side says; its counter makes every nonce unique under the connection's key."""

    def __init__(self, key: bytes) -> None:
        self._aes = AESGCM(key)
        self._counter = 0

    def seal(self, plain: bytes) -> bytes:
        """Return the whole record; raise `UnavailableError` (`result_too_large`) when it would pass 64 MiB."""
        if len(plain) > PLAIN_LIMIT:
            message = f"A message of {len(plain)} bytes does not fit into one envelope (64 MiB). Ask for less at once."
            raise UnavailableError("result_too_large", message, {"length": len(plain), "limit": PLAIN_LIMIT})
        head = framing.header(framing.SEALED, len(plain) + _OVERHEAD)
        counter = _COUNTER.pack(self._counter)
        self._counter += 1
        return head + counter + self._aes.encrypt(_nonce(counter), plain, head + counter)


class Opener:
    """Opens what the other side said, in the order it was sealed and in no other."""

    def __init__(self, key: bytes) -> None:
        self._aes = AESGCM(key)
        self._expected = 0

    def open(self, record: Record) -> bytes:
        """Return the plain text; raise `DeniedError` with the code that says how the envelope is wrong."""
        if record.kind != framing.SEALED or len(record.body) < _OVERHEAD:
            raise DeniedError("handshake_invalid", "A sealed record was expected, with a counter and a tag.")
        counter = record.body[: _COUNTER.size]
        self._check(_COUNTER.unpack(counter)[0])
        try:
            plain = self._aes.decrypt(_nonce(counter), record.body[_COUNTER.size :], record.header + counter)
        except InvalidTag as error:
            message = "An envelope does not open under this connection's key. Connect again."
            raise DeniedError("envelope_forged", message) from error
        self._expected += 1
        return plain

    def _check(self, counter: int) -> None:
        facts = {"counter": counter, "expected": self._expected}
        if counter < self._expected:
            raise DeniedError("envelope_replayed", f"Envelope {counter} was already read. Connect again.", facts)
        if counter > self._expected:
            message = f"Envelope {counter} came where {self._expected} was expected. Connect again."
            raise DeniedError("envelope_out_of_order", message, facts)


def agent_ends(key: bytes, agent_nonce: bytes, host_nonce: bytes) -> tuple[Sealer, Opener]:
    """Return the agent's two ends of a connection."""
    to_host, to_agent = derive(key, agent_nonce, host_nonce)
    return Sealer(to_host), Opener(to_agent)


def host_ends(key: bytes, agent_nonce: bytes, host_nonce: bytes) -> tuple[Sealer, Opener]:
    """Return the host's two ends of a connection."""
    to_host, to_agent = derive(key, agent_nonce, host_nonce)
    return Sealer(to_agent), Opener(to_host)


def derive(key: bytes, agent_nonce: bytes, host_nonce: bytes) -> tuple[bytes, bytes]:
    """Return the keys of one connection: agent to host, host to agent (HKDF, RFC 5869)."""
    salt = agent_nonce + host_nonce
    to_host = HKDF(SHA256(), 32, salt, b"freehold/1 agent to host").derive(key)
    to_agent = HKDF(SHA256(), 32, salt, b"freehold/1 host to agent").derive(key)
    return to_host, to_agent


def _nonce(counter: bytes) -> bytes:
    return b"\0\0\0\0" + counter
