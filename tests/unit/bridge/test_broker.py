from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from freehold.bridge import endpoint, pairing
from freehold.bridge.broker import Broker
from freehold.bridge.client import BridgeClient, connect
from freehold.bridge.connection import Terms
from freehold.errors import FreeholdError, UnavailableError
from freehold.wire import framing

pytestmark = pytest.mark.anyio


class Recorder:
    """A listener that notes what it hears; `held` agents are never finished with."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.faults: list[str] = []
        self.held: set[int] = set()
        self._heard_one = anyio.Event()

    async def messages(self, count: int) -> list[str]:
        """Return the methods heard once there are `count`."""
        while len(methods := [item[1]["method"] for kind, item in self.heard if kind == "message"]) < count:
            self._heard_one = anyio.Event()
            await self._heard_one.wait()
        return methods

    async def agent_opened(self, agent: int) -> None:
        self.heard.append(("opened", agent))

    async def agent_message(self, agent: int, message: dict[str, Any]) -> None:
        self.heard.append(("message", (agent, message)))
        self._heard_one.set()
        if agent in self.held:
            await asyncio.Event().wait()

    async def agent_closed(self, agent: int) -> None:
        self.heard.append(("closed", agent))

    def fault(self, error: FreeholdError) -> None:
        self.faults.append(error.code)


class Office:
    """A broker on a socket in a folder of its own."""

    def __init__(self, folder: Path, broker: Broker, heard: Recorder) -> None:
        self.socket = endpoint.socket_path(folder / "run", os.getpid())
        self.key = pairing.make(folder / "pairing.key")
        self.broker = broker
        self.listener = heard

    def connect(self) -> Any:
        return connect(self.socket, self.key)


@asynccontextmanager
async def office(folder: Path, **terms: Any) -> AsyncGenerator[Office]:
    heard = Recorder()
    endpoint.prepare(folder / "run")
    broker = Broker(replace(Terms(folder / "pairing.key", {"browser": "Chromium"}), **terms), heard)
    made = Office(folder, broker, heard)
    await broker.serve(endpoint.listen(made.socket))
    try:
        yield made
    finally:
        broker.close()
        await broker.wait_closed()


async def refused(made: Office) -> str:
    with pytest.raises(FreeholdError) as caught:
        async with made.connect():
            pass
    return caught.value.code


async def test_another_users_process_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    async with office(tmp_path, uid=os.geteuid() + 1) as made:
        assert await refused(made) == "peer_not_allowed"
        assert made.listener.heard == []


async def test_a_half_open_handshake_ends_by_itself(tmp_path: Path) -> None:
    async with office(tmp_path, handshake_seconds=0.05) as made:
        async with await anyio.connect_unix(made.socket) as stream:
            with anyio.fail_after(10):
                told = framing.decode((await stream.receive())[framing.HEADER_BYTES :])
                with pytest.raises(anyio.EndOfStream):
                    await stream.receive()
        assert told["error"]["code"] == "handshake_invalid"
        assert made.listener.faults == ["handshake_invalid"]


async def test_a_key_that_is_gone_or_loose_is_told_to_the_agent(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        (tmp_path / "pairing.key").chmod(0o644)
        assert await refused(made) == "permissions_unsafe"
        (tmp_path / "pairing.key").unlink()
        assert await refused(made) == "setup_missing"


async def test_a_key_made_anew_counts_from_the_next_connection_on(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        (tmp_path / "pairing.key").unlink()
        assert await refused(made) == "setup_missing"
        made.key = pairing.make(tmp_path / "pairing.key")
        async with made.connect() as client:
            assert client.extension == {"browser": "Chromium"}


async def test_while_one_agents_message_waits_the_others_are_heard(tmp_path: Path) -> None:
    async with office(tmp_path) as made, made.connect() as stuck, made.connect() as free:
        made.listener.held.add(1)
        async with anyio.create_task_group() as group:
            group.start_soon(ask, stuck, "first")
            group.start_soon(ask, free, "second")
            with anyio.fail_after(10):
                assert set(await made.listener.messages(2)) == {"first", "second"}
            group.cancel_scope.cancel()


async def ask(client: BridgeClient, method: str) -> None:
    await client.call(method, {})


async def test_an_answer_that_does_not_fit_becomes_an_error_of_that_call(tmp_path: Path) -> None:
    class Narrow:
        def __init__(self) -> None:
            self.sent: list[Mapping[str, Any]] = []

        def send(self, message: Mapping[str, Any]) -> None:
            if "result" in message or message["type"] == "event":
                raise UnavailableError("result_too_large", "Too large.")
            self.sent.append(message)

    async with office(tmp_path) as made:
        narrow: Any = Narrow()
        made.broker._agents[9] = narrow  # pyright: ignore[reportPrivateUsage] - 64 MiB of it would be slow
        made.broker.send(9, {"type": "event", "name": "x", "params": {}})
        made.broker.send(9, {"type": "response", "id": 4, "result": "vast"})
    assert [(message["id"], message["error"]["code"]) for message in narrow.sent] == [(4, "result_too_large")]
    assert made.listener.faults == ["result_too_large", "result_too_large"]


async def test_closing_ends_every_connection(tmp_path: Path) -> None:
    async with office(tmp_path) as made, made.connect() as client:
        made.broker.close()
        with anyio.fail_after(10):
            await client.closed.wait()
