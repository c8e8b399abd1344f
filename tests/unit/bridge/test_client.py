from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest

from freehold.bridge import cipher
from freehold.bridge.client import BridgeClient
from freehold.bridge.events import LIMIT
from freehold.errors import FreeholdError, UnavailableError, UsageError

pytestmark = pytest.mark.anyio


class FakeChannel:
    """The host's end in memory: what the client sends is in `sent`, what it is to receive is put with `say`."""

    def __init__(self) -> None:
        self.extension: dict[str, Any] = {"browser": "Chromium"}
        self.sent: list[bytes] = []
        self.changed = anyio.Event()
        self.closed = False
        self._say, self._hear = anyio.create_memory_object_stream[Mapping[str, Any] | FreeholdError](math.inf)

    def say(self, message: Mapping[str, Any] | FreeholdError) -> None:
        self._say.send_nowait(message)

    async def send(self, body: bytes) -> None:
        self.sent.append(body)
        self.changed.set()

    async def receive(self) -> Any:
        message = await self._hear.receive()
        if isinstance(message, FreeholdError):
            raise message
        return message

    async def aclose(self) -> None:
        self.closed = True
        self._say.close()
        self._hear.close()


def client_on(channel: Any) -> BridgeClient:
    return BridgeClient(channel)


async def call(client: BridgeClient, outcome: list[Any], method: str = "tabs.list") -> None:
    try:
        outcome.append(await client.call(method, {}))
    except FreeholdError as error:
        outcome.append(error.code)


async def test_a_fault_of_the_connection_is_a_lost_connection_to_every_call() -> None:
    channel, outcomes = FakeChannel(), list[Any]()
    client = client_on(channel)
    async with anyio.create_task_group() as group:
        group.start_soon(client.run)
        for _ in range(3):
            group.start_soon(call, client, outcomes)
        await channel.changed.wait()
        channel.say(UnavailableError("connection_lost", "Gone."))
    assert outcomes == ["connection_lost"] * 3
    assert client.closed.is_set()
    assert channel.closed


async def test_closing_answers_calls_that_wait_and_may_be_done_twice() -> None:
    channel, outcomes = FakeChannel(), list[Any]()
    client = client_on(channel)
    async with anyio.create_task_group() as group:
        group.start_soon(client.run)
        group.start_soon(call, client, outcomes)
        await channel.changed.wait()
        await client.aclose()
        await client.aclose()
    assert outcomes == ["connection_lost"]


async def test_a_client_outlives_the_task_that_opened_it_and_ends_with_its_group() -> None:
    channel, made = FakeChannel(), list[BridgeClient]()
    async with anyio.create_task_group() as owner:

        async def open_in_a_call() -> None:
            made.append(client_on(channel))
            owner.start_soon(made[0].run)

        async with anyio.create_task_group() as one_call:
            one_call.start_soon(open_in_a_call)
            one_call.cancel_scope.cancel()
        await anyio.wait_all_tasks_blocked()
        assert not made[0].closed.is_set()
        owner.cancel_scope.cancel()
    assert made[0].closed.is_set()
    assert channel.closed


@pytest.mark.parametrize("params", [{"x": float("nan")}, {"x": object()}, {"x": b"bytes"}])
async def test_parameters_that_are_not_json_are_refused_and_the_client_lives(params: dict[str, Any]) -> None:
    client = client_on(FakeChannel())
    with pytest.raises(UsageError) as caught:
        await client.call("tabs.list", params)
    assert caught.value.code == "invalid_argument"
    assert not client.closed.is_set()
    await client.aclose()


async def test_parameters_beyond_an_envelope_are_refused_and_the_client_lives() -> None:
    client = client_on(FakeChannel())
    with pytest.raises(UsageError) as caught:
        await client.call("page.call", {"text": "x" * cipher.PLAIN_LIMIT})
    assert caught.value.code == "invalid_argument"
    assert not client.closed.is_set()
    await client.aclose()


@pytest.mark.parametrize(
    "message",
    [
        {"type": "response"},
        {"type": "response", "id": 99, "result": 1},
        {"type": "response", "id": "1", "result": 1},
        {"type": "news"},
        {"type": "event"},
        {"type": "event", "name": 3, "params": None},
    ],
)
async def test_messages_it_does_not_know_are_passed_over(message: dict[str, Any]) -> None:
    channel, outcomes = FakeChannel(), list[Any]()
    client = client_on(channel)
    async with anyio.create_task_group() as group:
        group.start_soon(client.run)
        channel.say(message)
        group.start_soon(call, client, outcomes)
        await channel.changed.wait()
        channel.say({"type": "response", "id": 1, "result": "good"})
        await anyio.wait_all_tasks_blocked()
        await client.aclose()
    assert outcomes == ["good"]


async def test_a_subscriber_that_falls_too_far_behind_loses_the_connection_and_is_told() -> None:
    channel = FakeChannel()
    client = client_on(channel)
    async with anyio.create_task_group() as group:
        group.start_soon(client.run)
        with client.subscribe() as events:
            for number in range(LIMIT + 1):
                channel.say({"type": "event", "name": "dialog.opened", "params": {"tabId": number}})
            with anyio.fail_after(10):
                await client.closed.wait()
            assert len([event async for event in events]) == LIMIT


async def test_who_does_not_subscribe_is_not_held_to_it() -> None:
    channel = FakeChannel()
    client = client_on(channel)
    async with anyio.create_task_group() as group:
        group.start_soon(client.run)
        with client.subscribe():
            pass
        channel.say({"type": "event", "name": "tab.removed", "params": {}})
        await anyio.wait_all_tasks_blocked()
        assert not client.closed.is_set()
        await client.aclose()


async def test_nobody_at_the_socket_means_no_browser_is_connected(tmp_path: Path) -> None:
    async with anyio.create_task_group() as group:
        with pytest.raises(UnavailableError) as caught:
            await BridgeClient.open(group, tmp_path / "host-1.sock", bytes(32))
        assert caught.value.code == "browser_not_connected"
