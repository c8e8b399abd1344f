"""What a bad peer, a crash or a stall does to the bridge: an error with a code, for that connection only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from freehold.bridge import endpoint, handshake
from freehold.bridge.client import connect
from freehold.errors import FreeholdError
from freehold.wire import framing
from tests.contract.bystander import bystander
from tests.contract.fake_extension import extension
from tests.contract.raw_agent import RawAgent, raw_agent

pytestmark = pytest.mark.anyio


def forged(agent: RawAgent) -> list[bytes]:
    record = bytearray(agent.request(1))
    record[-1] ^= 1
    return [bytes(record)]


def replayed(agent: RawAgent) -> list[bytes]:
    record = agent.request(1)
    return [record, record]


def reordered(agent: RawAgent) -> list[bytes]:
    first, second = agent.request(1), agent.request(2)
    return [second, first]


def oversized(_agent: RawAgent) -> list[bytes]:
    return [framing.header(framing.SEALED, framing.SEALED_LIMIT + 1)]


def in_the_clear(_agent: RawAgent) -> list[bytes]:
    return [framing.clear_record({"type": "cancel", "id": 1})]


def not_an_object(agent: RawAgent) -> list[bytes]:
    return [agent.sealer.seal(b"[1]")]


def not_json(agent: RawAgent) -> list[bytes]:
    return [agent.sealer.seal(b'{"type":"request","id":NaN}')]


def not_utf8(agent: RawAgent) -> list[bytes]:
    return [agent.sealer.seal(b'{"type":"\xed\xa0\xbd"}')]


def deep(agent: RawAgent) -> list[bytes]:
    return [agent.sealer.seal(b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}")]


def beyond_floats(agent: RawAgent) -> list[bytes]:
    return [agent.sealer.seal(b'{"a":1e999}')]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (forged, "envelope_forged"),
        (replayed, "envelope_replayed"),
        (reordered, "envelope_out_of_order"),
        (oversized, "envelope_too_large"),
        (in_the_clear, "handshake_invalid"),
        (not_an_object, "handshake_invalid"),
        (not_json, "handshake_invalid"),
        (not_utf8, "handshake_invalid"),
        (deep, "handshake_invalid"),
        (beyond_floats, "handshake_invalid"),
    ],
)
async def test_a_bad_envelope_ends_that_connection_only(home: Path, key: bytes, fault: Any, code: str) -> None:
    async with bystander(home, key) as fake, raw_agent(fake.socket) as agent:
        await agent.shake(key)
        await agent.send(b"".join(fault(agent)))
        assert await first_refusal(agent) == code
        await fake.until("agent_closed", agent=2)


async def first_refusal(agent: RawAgent) -> str:
    # A good envelope before the bad one may still be answered; what counts is how the connection ends.
    record = await agent.record()
    while record.kind == framing.SEALED:
        record = await agent.record()
    await agent.end()
    return framing.decode(record.body)["error"]["code"]


async def test_an_envelope_cut_by_the_end_of_the_stream_is_named(home: Path, key: bytes) -> None:
    async with bystander(home, key) as fake, raw_agent(fake.socket) as agent:
        await agent.shake(key)
        await agent.send(agent.request(1)[:-3])
        await agent.stream.send_eof()
        assert (await agent.refusal())["code"] == "envelope_truncated"


async def test_an_agent_with_another_key_is_refused_by_name(home: Path, key: bytes) -> None:
    async with bystander(home, key) as fake:
        with pytest.raises(FreeholdError) as caught:
            async with connect(fake.socket, bytes(32)):
                pass
        assert caught.value.code == "pairing_mismatch"
        assert [message for message in fake.received if message["type"] == "agent_opened"] == [
            {"type": "agent_opened", "agent": 1}
        ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "handshake_invalid"),
        (b"\x00\x00\x00\x00\x05[[[[[", "handshake_invalid"),
        (framing.header(framing.CLEAR, 4_096) + b"[" * 4_096, "handshake_invalid"),
        (framing.header(framing.CLEAR, 4_097), "envelope_too_large"),
        (framing.header(framing.SEALED, 1_000_000), "envelope_too_large"),
        (framing.header(framing.SEALED, 32) + bytes(32), "handshake_invalid"),
        (framing.clear_record(handshake.hello("agent")), "handshake_invalid"),
        (framing.clear_record(handshake.hello("agent", nonce=12)), "handshake_invalid"),
        (framing.clear_record({**handshake.hello("agent"), "product": "driftwood"}), "product_mismatch"),
        (framing.clear_record({**handshake.hello("agent"), "protocol": 2}), "protocol_mismatch"),
    ],
)
async def test_a_first_record_that_is_no_hello_of_ours_is_refused(
    home: Path, key: bytes, data: bytes, code: str
) -> None:
    async with bystander(home, key) as fake, raw_agent(fake.socket) as stranger:
        await stranger.send(data)
        error = await stranger.refusal()
        assert error["code"] == code
        if code.endswith("_mismatch"):
            assert error["data"] == handshake.identity("host")


async def test_a_first_envelope_that_proves_nothing_is_refused(home: Path, key: bytes) -> None:
    async with bystander(home, key) as fake, raw_agent(fake.socket) as agent:
        await agent.greet(key)
        await agent.send(agent.request(1))
        assert (await agent.refusal())["code"] == "handshake_invalid"


async def test_a_peer_that_says_nothing_is_dropped_and_holds_up_nobody(home: Path, key: bytes) -> None:
    async with bystander(home, key) as fake, raw_agent(fake.socket) as silent:
        assert (await silent.refusal())["code"] == "handshake_invalid"


async def test_a_peer_that_comes_and_goes_without_a_word_leaves_no_trace(home: Path, key: bytes) -> None:
    async with bystander(home, key) as fake, raw_agent(fake.socket) as shy:
        await shy.stream.send_eof()
        await shy.end()
    assert not (home / "run" / "host.log").exists()


async def test_garbage_from_the_browser_is_passed_over(home: Path, key: bytes) -> None:
    async with bystander(home, key) as fake:
        for body in (b"\xff\xfe", b"[]", b"{}", b'{"type":"message","agent":"1","message":{}}', b"[" * 100_000):
            await fake.send_bytes(framing.native_frame(body))
        await fake.event(99, "tab.removed", {"tabId": 1})


async def test_a_length_that_chrome_could_not_send_ends_the_host(home: Path) -> None:
    async with extension(home) as fake:
        await fake.send_bytes(b"\xff\xff\xff\xff")
        assert await fake.ended() == 0
        assert not fake.socket.exists()


async def test_the_log_names_faults_and_holds_neither_keys_nor_pages(home: Path, key: bytes) -> None:
    async with bystander(home, key) as fake, raw_agent(fake.socket) as agent:
        await agent.shake(key)
        await agent.send(agent.seal({"type": "request", "id": 1, "method": "x", "params": {"text": "a secret"}}))
        await fake.until("message", agent=2)
        await agent.send(forged(agent)[0])
        await agent.end()
        await fake.until("agent_closed", agent=2)
    log = (home / "run" / "host.log").read_bytes()
    assert b" envelope_forged " in log
    assert b"a secret" not in log
    assert key not in log


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
async def test_another_user_is_refused_even_where_the_folders_let_it_in(home: Path, key: bytes) -> None:
    # From within the folder, because on some machines the way to it is closed to others from the root on.
    code = (
        "import os, socket, sys; os.chdir(sys.argv[1]); os.setuid(65534); s = socket.socket(socket.AF_UNIX);"
        "s.connect(sys.argv[2]); sys.stdout.buffer.write(s.makefile('rb').read())"
    )
    async with bystander(home, key) as fake:
        fake.socket.parent.chmod(0o755)
        fake.socket.chmod(0o666)
        command = [sys.executable, "-c", code, str(fake.socket.parent), fake.socket.name]
        told = await anyio.run_process(command, stderr=subprocess.STDOUT, check=False)
        fake.socket.parent.chmod(0o700)
    assert framing.decode(told.stdout[framing.HEADER_BYTES :])["error"]["code"] == "peer_not_allowed"


async def test_no_browser_means_no_sockets(home: Path) -> None:
    assert endpoint.sockets(home / "run") == []
