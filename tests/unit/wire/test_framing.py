from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freehold.errors import DeniedError
from freehold.wire import framing
from freehold.wire.framing import Record, RecordReader

# Every code point, halves of surrogate pairs included, as a page's script can make them.
TEXT = st.text(st.characters(codec=None, exclude_categories=()))
SCALARS = st.none() | st.booleans() | st.integers() | TEXT
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=8)
QUICK = settings(max_examples=25, deadline=None)


def code_of(data: bytes, limit: int = framing.SEALED_LIMIT) -> str:
    reader = RecordReader(limit)
    reader.feed(data)
    with pytest.raises(DeniedError) as caught:  # noqa: PT012 - a cut stream shows only at its end
        assert reader.next() is None
        reader.finish()
    return caught.value.code


@QUICK
@given(st.dictionaries(TEXT, JSON))
def test_any_json_of_any_text_survives(message: dict[str, Any]) -> None:
    body = framing.encode(message)
    body.decode("utf-8")
    assert framing.decode(body) == message


@QUICK
@given(
    st.lists(st.tuples(st.sampled_from([framing.CLEAR, framing.SEALED]), st.binary(max_size=40)), max_size=5),
    st.integers(1, 50),
)
def test_records_come_out_whole_however_the_stream_is_cut(records: list[tuple[int, bytes]], step: int) -> None:
    whole = [Record(kind, framing.header(kind, len(body)), body) for kind, body in records]
    stream = b"".join(record.header + record.body for record in whole)
    reader, found = RecordReader(), list[Record]()
    for start in range(0, len(stream), step):
        reader.feed(stream[start : start + step])
        while (record := reader.next()) is not None:
            found.append(record)
    reader.finish()
    assert found == whole


def test_a_record_is_refused_by_its_header_before_its_body_has_come() -> None:
    assert code_of(framing.header(framing.CLEAR, framing.CLEAR_LIMIT + 1)) == "envelope_too_large"
    assert code_of(framing.header(framing.SEALED, framing.SEALED_LIMIT + 1)) == "envelope_too_large"
    assert code_of(framing.header(framing.SEALED, 11), limit=10) == "envelope_too_large"
    assert code_of(b"GET /") == "handshake_invalid"


@pytest.mark.parametrize("data", [b"\x00", b"\x01\x00\x00\x00", framing.header(framing.SEALED, 5) + b"four"])
def test_a_stream_that_ends_inside_a_record_is_truncated(data: bytes) -> None:
    assert code_of(data) == "envelope_truncated"


def test_a_record_of_the_largest_size_is_taken() -> None:
    reader = RecordReader()
    reader.feed(framing.header(framing.CLEAR, framing.CLEAR_LIMIT) + b"x" * framing.CLEAR_LIMIT)
    record = reader.next()
    assert record is not None
    assert len(record.body) == framing.CLEAR_LIMIT


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"a":NaN}',
        b'{"a":-Infinity}',
        b"\xff",
        b'{"a":"\xed\xa0\xbd"}',
        b"[" * 100_000,
        "\ufeff{}".encode(),
        '{"a":1}'.encode("utf-16"),
        b'{"a":' + b"1" * 5_000 + b"}",
    ],
    ids=range(12),
)
def test_what_is_not_a_json_object_in_utf8_is_refused(body: bytes) -> None:
    with pytest.raises(DeniedError) as caught:
        framing.decode(body)
    assert caught.value.code == "handshake_invalid"


def test_what_json_cannot_say_is_an_error_and_not_other_json() -> None:
    for value in (float("nan"), float("inf"), object(), b"bytes"):
        with pytest.raises((ValueError, TypeError)):
            framing.encode({"value": value})


def test_half_a_surrogate_pair_is_escaped_and_the_rest_is_not() -> None:
    assert framing.encode({"t": "ک\ud83d"}) == '{"t":"ک\\ud83d"}'.encode()


@QUICK
@given(st.sampled_from(["a", "ک", "🌾", "\n", '"', "\ud83d"]), st.integers(100_000, 1_000_000))
def test_no_body_passes_chromes_limit_whatever_its_characters_cost(unit: str, times: int) -> None:
    bodies = list(framing.split({"t": unit * times}, 1))
    assert all(len(body) <= framing.NATIVE_LIMIT_TO_EXTENSION for body in bodies)
    assert len(bodies) == 1 or {json.loads(body)["count"] for body in bodies} == {len(bodies)}


def test_a_length_beyond_what_chrome_sends_is_refused() -> None:
    assert framing.native_length(framing.native_frame(b"abc")[:4]) == 3
    with pytest.raises(DeniedError) as caught:
        framing.native_length(b"\xff\xff\xff\xff")
    assert caught.value.code == "envelope_too_large"
