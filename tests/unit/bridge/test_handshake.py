from __future__ import annotations

import pytest

from freehold.bridge import handshake
from freehold.errors import DeniedError


def refusal_of(hello: dict[str, object], role: str, us: str) -> DeniedError:
    with pytest.raises(DeniedError) as caught:
        handshake.check_hello(hello, role, us)
    return caught.value


@pytest.mark.parametrize(
    ("protocol", "role", "us", "words"),
    [
        (0, "extension", "host", "reload the Freehold extension"),
        (2, "extension", "host", "restart the browser"),
        (0, "agent", "host", "restart the agent"),
        (2, "host", "agent", "restart the agent"),
        (0, "host", "agent", "restart the browser"),
    ],
)
def test_a_mismatch_says_which_side_to_update(protocol: int, role: str, us: str, words: str) -> None:
    error = refusal_of({**handshake.hello(role), "protocol": protocol, "version": "9.9"}, role, us)
    assert error.code == "protocol_mismatch"
    assert error.data == {"product": "freehold", "role": role, "protocol": protocol, "version": "9.9"}
    assert words in error.message  # which side is the meaning here, not the wording


def test_a_strangers_words_are_shown_short_and_plain() -> None:
    error = refusal_of({**handshake.hello("agent"), "product": "x\n\x1b[2J\u202e" + "y" * 500}, "agent", "host")
    assert error.message.isprintable()
    assert len(error.data["product"]) < 100


def test_what_the_host_tells_a_strange_peer_names_the_host() -> None:
    for change in ({"product": "driftwood"}, {"protocol": 7}):
        error = refusal_of({**handshake.hello("agent"), **change}, "agent", "host")
        told = handshake.refused_by("host", error, "agent")
        assert (told.code, told.data) == (error.code, handshake.identity("host"))


def test_true_is_not_protocol_one() -> None:
    assert refusal_of({**handshake.hello("agent"), "protocol": True}, "agent", "host").code == "protocol_mismatch"


def test_a_refusal_without_an_error_is_still_one() -> None:
    for message in ({"type": "refused"}, {"type": "refused", "error": "no"}):
        error = handshake.refusal(message)
        assert error is not None
        assert error.code == "handshake_invalid"
    assert handshake.refusal({"type": "hello"}) is None
