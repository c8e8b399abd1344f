"""Ambient sync while servers are slow, gone or exchanged: nobody waits, it is told once, and all is caught up."""

from __future__ import annotations

from pathlib import Path

import pytest

from freehold.archive.backend import Backend

from .machine import Machine
from .pi_session import THREAD
from .stub import Stub

pytestmark = pytest.mark.anyio


@pytest.fixture
def stub() -> Stub:
    return Stub()


@pytest.fixture
def machine(tmp_path: Path, stub: Stub) -> Machine:
    return Machine(tmp_path, stub)


def turns(*numbers: int) -> list[str]:
    return [text for number in numbers for text in (f"question {number}", f"answer {number}")]


async def test_a_server_that_is_slow_holds_nobody_longer_than_the_deadline(machine: Machine, stub: Stub) -> None:
    stub.hanging = True
    async with machine.sync({"shutdown": 0.01}) as sync:
        await sync.observe("shutdown", machine.session().turn(1).payload)
    assert stub.threads == {}
    stub.hanging = False
    await machine.once(machine.session("other").turn(2))
    assert stub.texts(THREAD) == turns(1)


async def test_a_server_that_is_gone_is_told_once_and_caught_up_with_later(machine: Machine, stub: Stub) -> None:
    stub.down = True
    first, second = machine.session().turn(1), machine.session("second").turn(2)
    async with machine.sync() as sync:
        await sync.observe("shutdown", first.payload)
        await sync.observe("shutdown", second.payload)
        await sync.observe("shutdown", first.turn(3).payload)
        assert (len(machine.told), sync.failing) == (1, True)
        assert "backend" not in machine.told[0]
    await machine.once(second)
    assert len(machine.told) == 2
    stub.down = False
    async with machine.sync() as sync:
        done = sync.hear("start", {})
        await machine.clock.over()
        await done.wait()
    assert stub.texts(THREAD) == turns(1, 3)
    assert stub.texts("pi-second") == turns(2)
    assert len(machine.told) == 2


async def test_an_outage_that_ends_within_a_session_is_caught_up_and_told(machine: Machine, stub: Stub) -> None:
    session = machine.session().turn(1)
    async with machine.sync() as sync:
        await sync.observe("compact", session.payload)
        stub.down = True
        await sync.observe("compact", session.turn(2).payload)
        stub.down = False
        await sync.observe("compact", session.turn(3).payload)
    assert stub.texts(THREAD) == turns(1, 2, 3)
    assert len(machine.told) == 2


async def test_another_backend_gets_everything_from_the_beginning(machine: Machine, stub: Stub) -> None:
    first, second = machine.session().turn(1), machine.session("second").turn(2)
    await machine.once(first)
    await machine.once(second)
    machine.stub, machine.backend = Stub(), Backend("named", "http://two", "a test names it")
    await machine.once(second.turn(3))
    assert machine.stub.texts(THREAD) == turns(1)
    assert machine.stub.texts("pi-second") == turns(2, 3)
    machine.stub, machine.backend = stub, Backend("named", "http://one", "a test names it")
    await machine.once(first.turn(4))
    assert stub.texts(THREAD) == turns(1, 4)
    assert stub.texts("pi-second") == turns(2, 3)


async def test_a_session_without_a_file_outlasts_an_outage(machine: Machine, stub: Stub) -> None:
    entries = [{"id": "a", "role": "user", "text": "Hello"}]
    entries += [{"id": "b", "parentId": "a", "role": "assistant", "text": "Hi!"}]
    stub.down = True
    async with machine.sync() as sync:
        await sync.observe("compact", {"session_id": "x", "entries": entries})
        stub.down = False
        await sync.drain(60)
    assert stub.texts("pi-x") == ["Hello", "Hi!"]


async def test_a_switch_of_the_backend_within_a_session_fills_the_new_one(machine: Machine, stub: Stub) -> None:
    async with machine.sync() as sync:
        await sync.observe("compact", machine.session().turn(1).payload)
        machine.stub, machine.backend = Stub(), Backend("named", "http://two", "a test names it")
        await machine.archive.forget()
        await sync.observe("compact", machine.session("second").turn(2).payload)
    assert machine.stub.texts(THREAD) == turns(1)
    assert machine.stub.texts("pi-second") == turns(2)
    assert list(stub.threads) == [THREAD]


async def test_where_cursors_cannot_be_kept_it_is_told_and_nothing_breaks(machine: Machine, stub: Stub) -> None:
    machine.folder.mkdir(parents=True)
    (machine.folder / "cursors").write_text("a file in the way")
    await machine.once(machine.session().turn(1))
    assert len(machine.told) == 1
