from __future__ import annotations

import pytest

from freehold.bridge import cipher
from freehold.bridge.cipher import Opener
from freehold.errors import DeniedError, UnavailableError
from freehold.wire import framing
from freehold.wire.framing import Record

KEY, AGENT, HOST = b"k" * 32, b"a" * 32, b"h" * 32


def record(data: bytes) -> Record:
    return Record(data[0], data[: framing.HEADER_BYTES], data[framing.HEADER_BYTES :])


def code_of(opener: Opener, data: bytes) -> str:
    with pytest.raises(DeniedError) as caught:
        opener.open(record(data))
    return caught.value.code


def test_both_ends_understand_each_other_in_both_directions() -> None:
    (to_host, from_host), (to_agent, from_agent) = (
        cipher.agent_ends(KEY, AGENT, HOST),
        cipher.host_ends(KEY, AGENT, HOST),
    )
    for number in range(3):
        assert from_agent.open(record(to_host.seal(b"up %d" % number))) == b"up %d" % number
        assert from_host.open(record(to_agent.seal(b"down %d" % number))) == b"down %d" % number


def test_an_envelope_sent_back_to_its_sender_does_not_open() -> None:
    sealer, opener = cipher.agent_ends(KEY, AGENT, HOST)
    assert code_of(opener, sealer.seal(b"mine")) == "envelope_forged"


def test_an_envelope_of_another_connection_does_not_open() -> None:
    sealer, _ = cipher.agent_ends(KEY, AGENT, b"i" * 32)
    _, opener = cipher.host_ends(KEY, AGENT, HOST)
    assert code_of(opener, sealer.seal(b"yesterday's")) == "envelope_forged"


def test_every_single_bit_of_an_envelope_is_guarded() -> None:
    sealer, _ = cipher.agent_ends(KEY, AGENT, HOST)
    sealed = sealer.seal(b"{}")
    for bit in range(len(sealed) * 8):
        _, opener = cipher.host_ends(KEY, AGENT, HOST)
        turned = bytearray(sealed)
        turned[bit // 8] ^= 1 << bit % 8
        assert code_of(opener, bytes(turned)) in {"envelope_forged", "envelope_out_of_order", "handshake_invalid"}


def test_an_envelope_that_failed_may_not_be_counted() -> None:
    sealer, _ = cipher.agent_ends(KEY, AGENT, HOST)
    _, opener = cipher.host_ends(KEY, AGENT, HOST)
    sealed = sealer.seal(b"{}")
    assert code_of(opener, sealed[:-1] + bytes([sealed[-1] ^ 1])) == "envelope_forged"
    assert opener.open(record(sealed)) == b"{}"


def test_more_than_an_envelope_holds_is_refused_and_the_next_still_opens() -> None:
    sealer, _ = cipher.agent_ends(KEY, AGENT, HOST)
    _, opener = cipher.host_ends(KEY, AGENT, HOST)
    with pytest.raises(UnavailableError) as caught:
        sealer.seal(bytes(cipher.PLAIN_LIMIT + 1))
    assert caught.value.code == "result_too_large"
    assert opener.open(record(sealer.seal(b"{}"))) == b"{}"
