"""The golden examples of `protocol/vectors/`; the JavaScript tests read the same files."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from freehold.bridge import cipher, handshake
from freehold.bridge.cipher import Opener, Sealer
from freehold.errors import FAMILIES, FreeholdError
from freehold.wire import framing
from freehold.wire.framing import RecordReader

PROTOCOL = Path(__file__).parents[2] / "protocol"


def vectors(name: str) -> Any:
    return json.loads((PROTOCOL / "vectors" / f"{name}.json").read_text(encoding="utf-8"))


def named(cases: list[dict[str, Any]]) -> Any:
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


@pytest.mark.parametrize("case", vectors("derivation"))
def test_the_keys_of_a_connection_are_derived_as_written_down(case: dict[str, str]) -> None:
    key, agent, host = (bytes.fromhex(case[name]) for name in ("key", "agent_nonce", "host_nonce"))
    assert [part.hex() for part in cipher.derive(key, agent, host)] == [case["agent_to_host"], case["host_to_agent"]]


@pytest.mark.parametrize("case", vectors("derivation"))
def test_the_written_keys_are_those_of_rfc_5869(case: dict[str, str]) -> None:
    salt = bytes.fromhex(case["agent_nonce"] + case["host_nonce"])
    root = hmac.digest(salt, bytes.fromhex(case["key"]), "sha256")
    for field, info in (("agent_to_host", b"agent to host"), ("host_to_agent", b"host to agent")):
        assert hmac.digest(root, b"freehold/1 " + info + b"\x01", "sha256").hex() == case[field]


def test_envelopes_are_sealed_and_opened_as_written_down() -> None:
    golden = vectors("envelopes")
    key = bytes.fromhex(golden["key"])
    sealer, opener = Sealer(key), Opener(key)
    for case in golden["sealed"]:
        sealed = sealer.seal(case["plain"].encode())
        assert sealed.hex() == case["record"]
        reader = RecordReader()
        reader.feed(sealed)
        record = reader.next()
        assert record is not None
        assert opener.open(record).decode() == case["plain"]


@named(vectors("envelopes")["faults"])
def test_a_bad_envelope_has_the_code_written_down(case: dict[str, Any]) -> None:
    reader, opener = RecordReader(), Opener(bytes.fromhex(vectors("envelopes")["key"]))
    reader.feed(b"".join(bytes.fromhex(record) for record in case["records"]))
    with pytest.raises(FreeholdError) as caught:  # noqa: PT012 - the fault may show at any step of reading
        while (record := reader.next()) is not None:
            opener.open(record)
        reader.finish()
    assert caught.value.code == case["code"]


@pytest.mark.skipif(sys.byteorder != "little", reason="the golden frames are little endian; Chrome uses native order")
@pytest.mark.parametrize("case", vectors("native"))
def test_native_frames_are_as_written_down(case: dict[str, Any]) -> None:
    frame = bytes.fromhex(case["little_endian"])
    assert framing.native_frame(framing.encode(case["message"])) == frame
    head, body = frame[: framing.NATIVE_HEADER_BYTES], frame[framing.NATIVE_HEADER_BYTES :]
    assert framing.native_length(head) == len(body)
    assert framing.decode(body) == case["message"]


@pytest.mark.parametrize("case", vectors("chunks")["splitting"])
def test_a_message_is_cut_as_written_down(case: dict[str, Any]) -> None:
    message = vectors("chunks")["template"]
    message["message"]["params"]["text"] = case["unit"] * case["times"]
    bodies = list(framing.split(message, 7))
    assert [len(body) for body in bodies] == case["body_bytes"]
    assert max(case["body_bytes"]) <= framing.NATIVE_LIMIT_TO_EXTENSION
    whole = bodies[0] if len(bodies) == 1 else b"".join(base64.b64decode(json.loads(body)["data"]) for body in bodies)
    assert len(whole) == case["encoded_bytes"]
    assert hashlib.sha256(whole).hexdigest() == case["sha256"]
    assert json.loads(whole) == message


@named(vectors("chunks")["reassembly"])
def test_the_chunks_written_down_hold_their_messages(case: dict[str, Any]) -> None:
    parts: defaultdict[int, bytes] = defaultdict(bytes)
    whole: list[Any] = []
    for chunk in case["chunks"]:
        parts[chunk["chunk"]] += base64.b64decode(chunk["data"])
        if chunk["index"] == chunk["count"] - 1:
            whole.append(json.loads(parts[chunk["chunk"]]))
    assert whole == case["messages"]


@pytest.mark.parametrize("kind", vectors("messages"))
def test_the_example_messages_travel_unchanged(kind: str) -> None:
    for message in vectors("messages")[kind]:
        assert framing.decode(framing.encode(message)) == message


def test_the_example_messages_name_only_methods_events_and_codes_that_exist() -> None:
    examples = vectors("messages")
    listed = json.loads((PROTOCOL / "methods.json").read_text(encoding="utf-8"))
    assert {message["method"] for message in examples["requests"]} <= {method["name"] for method in listed["methods"]}
    assert {message["name"] for message in examples["events"]} <= {event["name"] for event in listed["events"]}
    assert {message["error"]["code"] for message in examples["responses"] if "error" in message} <= FAMILIES.keys()


HANDSHAKES = [
    pytest.param(hop, case, id=f"{hop}: {case['name']}")
    for hop, cases in vectors("handshakes").items()
    for case in cases
]


@pytest.mark.parametrize(("hop", "case"), HANDSHAKES)
def test_a_hello_is_judged_as_written_down(hop: str, case: dict[str, Any]) -> None:
    speaker, listener = hop.split("_to_")
    try:
        handshake.check_hello(case["hello"], speaker, listener)
        if "agent" in (speaker, listener):
            handshake.nonce_of(case["hello"])
        outcome = "accepted"
    except FreeholdError as error:
        outcome = error.code
    assert outcome == case["outcome"]
