"""Crashes and stalls on either side of the host: a lost or timed-out call, and the next one works."""

from __future__ import annotations

import signal
import socket
import struct
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketAttribute

from freehold.bridge.client import BridgeClient, connect
from freehold.errors import FreeholdError, UnavailableError
from tests.contract.bystander import bystander
from tests.contract.fake_extension import extension
from tests.contract.raw_agent import raw_agent

pytestmark = pytest.mark.anyio


async def lost(client: BridgeClient, errors: list[FreeholdError], text: str = "") -> None:
    try:
        await client.call("hang", {"text": text})
    except FreeholdError as error:
        errors.append(error)


async def test_an_agent_killed_during_a_call_is_reported_closed(home: Path, key: bytes) -> None:
    async with bystander(home, key) as fake, raw_agent(fake.socket) as agent:
        await agent.shake(key)
        await agent.send(agent.request(1, "hang"))
        await fake.until("message", agent=2)
        # A reset, as the kernel makes it for a killed process with data unread.
        raw = agent.stream.extra(SocketAttribute.raw_socket)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await agent.stream.aclose()
        await fake.until("agent_closed", agent=2)


async def test_a_host_killed_during_a_call_is_a_lost_connection_and_its_socket_is_removed(
    home: Path, key: bytes
) -> None:
    errors: list[FreeholdError] = []
    async with extension(home) as fake, connect(fake.socket, key) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(lost, client, errors)
            await fake.until("message")
            fake.kill()
        assert [(type(error), error.code) for error in errors] == [(UnavailableError, "connection_lost")]
        with pytest.raises(UnavailableError) as caught:
            await client.call("tabs.list", {})
        assert caught.value.code == "connection_lost"
        await fake.ended()
        stale = fake.socket
        assert stale.exists()
    async with extension(home) as again, connect(again.socket, key) as client:
        assert not stale.exists()
        assert (await client.call("tabs.list", {}))["method"] == "tabs.list"


async def test_connecting_to_a_dead_host_says_so_and_removes_its_socket(home: Path, key: bytes) -> None:
    async with extension(home) as fake:
        fake.kill()
        await fake.ended()
        with pytest.raises(UnavailableError) as caught:
            async with connect(fake.socket, key):
                pass
        assert caught.value.code == "browser_not_connected"
        assert not fake.socket.exists()


async def test_a_host_that_hangs_is_given_up_after_the_deadline(home: Path, key: bytes) -> None:
    async with extension(home) as fake, connect(fake.socket, key) as client:
        fake.process.send_signal(signal.SIGSTOP)
        with pytest.raises(UnavailableError) as caught:
            await client.call("tabs.list", {}, timeout=0.1)
        assert caught.value.code == "timeout"
        fake.process.send_signal(signal.SIGCONT)
        assert (await client.call("tabs.list", {}))["method"] == "tabs.list"


async def test_a_browser_that_no_longer_reads_cannot_keep_the_host_from_ending(home: Path, key: bytes) -> None:
    errors = list[FreeholdError]()
    async with extension(home) as fake:
        fake.reading = False
        async with connect(fake.socket, key) as client, anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(lost, client, errors, "x" * 3_000_000)
            await fake.until("agent_opened")
            await anyio.wait_all_tasks_blocked()
            fake.process.send_signal(signal.SIGTERM)
            assert await fake.ended() == 0
    assert {error.code for error in errors} == {"connection_lost"}


async def test_a_cancelled_call_is_cancelled_in_the_browser(home: Path, key: bytes) -> None:
    async with extension(home) as fake, connect(fake.socket, key) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(lost, client, list[FreeholdError]())
            await fake.until("message")
            group.cancel_scope.cancel()
        await fake.until("message", agent=1, message={"type": "cancel", "id": 1})
        assert (await client.call("tabs.list", {}))["method"] == "tabs.list"


async def test_an_agent_that_never_reads_loses_its_connection_and_holds_up_nobody(home: Path, key: bytes) -> None:
    async with bystander(home, key) as fake, raw_agent(fake.socket) as idle:
        await idle.shake(key)
        await fake.until("agent_opened", agent=2)
        for _ in range(5):
            await fake.event(2, "debugger.event", {"data": "A" * 20_000_000})
        await fake.until("agent_closed", agent=2)
