"""Messages as lines of JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freehold.wire.jsonl import LineReader, line

STRANGE = "a\u2028b\u2029c\x85d\0e\ud83d f\r\n\v\f"


def read(data: bytes, size: int = 0, **more: Any) -> tuple[list[dict[str, Any]], int]:
    """Return the messages in `data`, fed in pieces of `size` bytes, and how many lines were none."""
    reader = LineReader(**more)
    found: list[dict[str, Any]] = []
    step = size or len(data) or 1
    for start in range(0, len(data), step):
        reader.feed(data[start : start + step])
        found += reader.messages()
    return found, reader.skipped


def test_a_message_is_one_line_whatever_it_says() -> None:
    body = line({"text": STRANGE})
    assert body.count(b"\n") == 1
    assert body.endswith(b"\n")
    assert json.loads(body) == {"text": STRANGE}


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7])
def test_messages_survive_being_cut_anywhere(size: int) -> None:
    messages = [{"text": STRANGE}, {"text": "é" * 5}, {}]
    assert read(b"".join(map(line, messages)), size) == (messages, 0)


@given(st.text(alphabet=st.characters(codec=None)))
def test_every_string_survives(text: str) -> None:
    assert read(line({"text": text})) == ([{"text": text}], 0)


@pytest.mark.parametrize("other", [b"{", b"[1]", b'"x"', b"1", b"null", b"", b"\xff\xfe", b'{"a": NaN}', b"{} {}"])
def test_what_is_no_message_is_skipped_and_counted(other: bytes) -> None:
    assert read(line({"a": 1}) + other + b"\n" + line({"b": 2})) == ([{"a": 1}, {"b": 2}], 1)


def test_a_carriage_return_before_the_end_is_white_space() -> None:
    assert read(b'{"a": 1}\r\n') == ([{"a": 1}], 0)


def test_a_line_that_has_not_ended_is_no_message_yet() -> None:
    assert read(line({"a": 1}) + b'{"b"') == ([{"a": 1}], 0)


def test_a_line_beyond_the_limit_is_thrown_away_as_it_comes_and_the_next_is_read() -> None:
    long = line({"text": "x" * 100})
    assert read(long + line({"a": 1}), 10, limit=50) == ([{"a": 1}], 1)


def test_what_is_no_json_cannot_be_said() -> None:
    with pytest.raises((ValueError, TypeError)):
        line({"a": float("nan")})
