"""The server's ends: what comes in that is no protocol, and what ends the process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from subprocess import PIPE
from typing import Any

import anyio
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from tests.e2e.mcp.conftest import DEADLINE, FAKE, INITIALIZE, Events, WireOpener
from tests.e2e.processes import runs

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
async def test_every_handshake_version_is_spoken(open_wire: WireOpener, version: str) -> None:
    async with open_wire() as wire:
        assert (await wire.initialize(version))["protocolVersion"] == version
        await wire.call(1, "echo", {"text": "hello"})
        answer = await wire.receive()
    assert answer["id"] == 1
    assert answer["result"]["content"] == [{"type": "text", "text": "hello"}]


GARBAGE = (
    b"not json\n",
    b'{"jsonrpc": "2.0", "id": 9,\n',
    b"\xff\xfe\x00\x01\n",
    b"\n\n",
    b"[]\n",
    b"null\n",
    b'{"id": 9}\n',
    b"[" * 100_000 + b"\n",
    b'{"jsonrpc": "2.0", "method": "notifications/unheard of"}\n',
    b'{"jsonrpc": "2.0", "id": 77, "result": {}}\n',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}}\n',
)


async def test_garbage_on_standard_input_harms_no_later_call(open_wire: WireOpener) -> None:
    async with open_wire() as wire:
        for garbage in GARBAGE:
            await wire.send_bytes(garbage)
        await wire.initialize()
        for number, garbage in enumerate(GARBAGE, 1):
            await wire.send_bytes(garbage)
            await wire.call(number, "echo", {"text": "hello"})
            answer = await wire.receive()
            assert answer["id"] == number
            assert answer["result"]["content"][0]["text"] == "hello"


MISSHAPEN: tuple[dict[str, Any], ...] = (
    {"name": "echo", "arguments": "text"},
    {"name": 3},
    {"arguments": {}},
    {"name": None, "arguments": []},
)


async def test_a_request_of_the_wrong_shape_is_refused_by_the_protocol(open_wire: WireOpener) -> None:
    async with open_wire() as wire:
        await wire.initialize()
        for number, params in enumerate(MISSHAPEN, 1):
            await wire.send({"id": number, "method": "tools/call", "params": params})
            answer = await wire.receive()
            assert answer["id"] == number
            assert answer["error"]["code"] == -32602
        await wire.call(9, "echo", {"text": "hello"})
        assert (await wire.receive())["result"]["content"][0]["text"] == "hello"


async def test_an_unknown_method_is_refused_by_the_protocol(open_wire: WireOpener) -> None:
    async with open_wire() as wire:
        await wire.initialize()
        await wire.send({"id": 1, "method": "no/such"})
        assert (await wire.receive())["error"]["code"] == -32601


async def test_an_argument_of_sixteen_megabytes_arrives_whole(open_wire: WireOpener) -> None:
    async with open_wire() as wire:
        await wire.initialize()
        await wire.call(1, "measure", {"text": "ß" * (8 << 20)})
        assert (await wire.receive())["result"]["content"][0]["text"] == str(8 << 20)


async def test_what_a_tool_prints_stays_out_of_the_protocol(open_wire: WireOpener, events: Events) -> None:
    async with open_wire() as wire:
        await wire.initialize()
        await wire.call(1, "noise")
        assert (await wire.receive())["id"] == 1
        await wire.stdin.aclose()
        assert await wire.rest() == b""
        assert await wire.end() == 0
    assert "this is not protocol" in events.text()


async def test_the_end_of_standard_input_ends_the_server(open_wire: WireOpener) -> None:
    async with open_wire() as wire:
        await wire.initialize()
        await wire.stdin.aclose()
        assert await wire.end() == 0


async def test_the_end_of_standard_input_before_any_request_ends_the_server(
    open_wire: WireOpener, events: Events
) -> None:
    async with open_wire() as wire:
        await wire.stdin.aclose()
        assert await wire.end() == 0
    assert events.text() == ""


async def test_a_request_right_before_the_end_of_standard_input_is_answered(open_wire: WireOpener) -> None:
    async with open_wire() as wire:
        await wire.initialize()
        await wire.send({"id": 1, "method": "tools/list"})
        await wire.stdin.aclose()
        assert (await wire.receive())["result"]["tools"]


async def test_the_end_of_standard_input_cancels_the_call_in_flight(open_wire: WireOpener, events: Events) -> None:
    async with open_wire() as wire:
        await wire.initialize()
        await wire.call(1, "hang")
        await events.wait_for("hanging")
        await wire.stdin.aclose()
        assert await wire.end() == 0
    assert "event hang cancelled\n" in events.text()
    assert "event closed\n" in events.text()
    assert "Traceback" not in events.text()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
async def test_a_signal_ends_the_server_and_closes_the_runtime(
    open_wire: WireOpener, events: Events, name: str
) -> None:
    async with open_wire() as wire:
        await wire.initialize()
        await wire.call(1, "hang")
        await events.wait_for("hanging")
        wire.process.send_signal(signal.Signals[name])
        assert await wire.end() == 0
    assert "event closed\n" in events.text()
    assert "Traceback" not in events.text()


async def test_a_client_that_reads_no_more_and_leaves_does_not_keep_the_server(
    open_wire: WireOpener, events: Events
) -> None:
    async with open_wire() as wire:
        await wire.initialize()
        await wire.call(1, "echo", {"text": "x" * (4 << 20)})
        await wire.call(2, "hang")
        await events.wait_for("hanging")
        await wire.stdin.aclose()
        assert await wire.end() == 0
    assert "event closed\n" in events.text()


@pytest.mark.parametrize("leaves", [False, True], ids=["and stays", "and leaves"])
def test_a_client_that_reads_nothing_ends_the_server_without_a_traceback(events: Events, *, leaves: bool) -> None:
    requests = (
        {"id": 0, "method": "initialize", "params": INITIALIZE},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "x"}}},
    )
    with events.file.open("a") as stderr, subprocess.Popen(FAKE, stdin=PIPE, stdout=PIPE, stderr=stderr) as server:
        assert server.stdin
        assert server.stdout
        server.stdout.close()
        for request in requests:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **request}).encode() + b"\n")
        server.stdin.flush()
        if leaves:
            server.stdin.close()
        try:
            server.wait(DEADLINE)
        finally:
            server.kill()
    assert "Traceback" not in events.text()


async def test_the_death_of_the_parent_ends_the_server_whose_input_stays_open(
    open_wire: WireOpener, events: Events
) -> None:
    """The parent hands its own standard input on, so that nothing but its death can be noticed."""
    parent = f"import signal, subprocess; print(subprocess.Popen({list(FAKE)!r}).pid, flush=True); signal.pause()"
    async with open_wire(command=(sys.executable, "-c", parent)) as wire:
        server = await wire.receive()
        await wire.initialize()
        await wire.call(1, "echo", {"text": "x"})
        await wire.receive()
        wire.process.kill()
        await events.wait_for("closed")
        with anyio.fail_after(DEADLINE):
            while runs(server):
                await anyio.sleep(0.02)
