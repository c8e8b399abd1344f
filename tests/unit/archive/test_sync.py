"""Ambient sync: every message once and in order, whatever happens, and nothing waits for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from freehold.archive.backend import Backend
from freehold.archive.sync import PI_EVENTS

from .machine import Machine
from .pi_session import THREAD
from .stub import Stub

pytestmark = pytest.mark.anyio


class Killed(BaseException):
    """Stands for the end of the process at that moment."""


@pytest.fixture
def stub() -> Stub:
    return Stub()


@pytest.fixture
def machine(tmp_path: Path, stub: Stub) -> Machine:
    return Machine(tmp_path, stub)


def turns(*numbers: int) -> list[str]:
    return [text for number in numbers for text in (f"question {number}", f"answer {number}")]


async def test_settled_runs_within_the_debounce_are_sent_together(machine: Machine, stub: Stub) -> None:
    session = machine.session()
    async with machine.sync() as sync:
        await sync.observe("settled", session.turn(1).payload)
        await sync.observe("settled", session.turn(2).payload)
        await anyio.wait_all_tasks_blocked()
        assert stub.requests == []
        await machine.clock.over()
        await sync.flush()
    assert [path for _, path, _ in stub.writes] == ["/threads"]
    assert stub.texts(THREAD) == turns(1, 2)
    assert set(machine.clock.asked) == {0.75}


@pytest.mark.parametrize("event", ["compact", "switch", "shutdown"])
async def test_what_must_not_wait_is_sent_at_once(machine: Machine, stub: Stub, event: Any) -> None:
    async with machine.sync() as sync:
        await sync.observe(event, machine.session().turn(1).payload)
        assert stub.texts(THREAD) == turns(1)


async def test_what_follows_is_sent_alone_with_the_count_that_is_expected(machine: Machine, stub: Stub) -> None:
    session = machine.session().turn(1)
    await machine.once(session)
    await machine.once(session.turn(2))
    _, path, body = stub.writes[-1]
    assert path == f"/threads/{THREAD}/append"
    assert [message["content"] for message in body["messages"]] == turns(2)
    assert (body["expected_message_count"], body["deduplicate"]) == (2, True)
    assert body["idempotency_key"]


async def test_nothing_new_is_not_sent(machine: Machine, stub: Stub) -> None:
    session = machine.session().turn(1)
    await machine.once(session)
    await machine.once(session)
    assert len(stub.writes) == 1


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
        await sync.observe("start", {})
        await machine.clock.over()
        await anyio.wait_all_tasks_blocked()
        await sync.flush()
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


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", range(1, 6))
@pytest.mark.parametrize("checkpoints", [True, False])
async def test_a_kill_at_any_step_loses_and_doubles_nothing(
    tmp_path: Path, when: str, step: int, *, checkpoints: bool
) -> None:
    stub = Stub(checkpoints=checkpoints)
    machine = Machine(tmp_path, stub)
    session = machine.session()
    wanted: list[int] = []

    def kill(number: int) -> None:
        if number == step:
            raise Killed

    setattr(stub, when, kill)
    for round_ in range(4):
        numbers = range(round_ * 60, round_ * 60 + 60)  # more than one request takes
        for number in numbers:
            session.turn(number)
        wanted += numbers
        try:
            await machine.once(session)
        except* Killed:
            await machine.once(session)
    assert stub.texts(THREAD) == turns(*wanted)
    assert len(stub.writes) >= step


async def test_lost_cursors_cost_one_repetition_and_no_message(machine: Machine, stub: Stub) -> None:
    session = machine.session().turn(1)
    await machine.once(session)
    for file in (machine.folder / "cursors").iterdir():
        file.unlink()
    await machine.once(session.turn(2))
    assert stub.texts(THREAD) == turns(1, 2)
    (machine.folder / "cursors" / "sync.db").write_bytes(b"no database at all" * 100)
    await machine.once(session.turn(3))
    assert stub.texts(THREAD) == turns(1, 2, 3)
    assert machine.told == []


async def test_the_same_session_from_two_machines_is_one_thread(tmp_path: Path, stub: Stub) -> None:
    one, two = Machine(tmp_path, stub, "one"), Machine(tmp_path, stub, "two")
    session = one.session().turn(1)
    await one.once(session)
    await two.once(session)
    await one.once(session.turn(2))
    await two.once(session.turn(3))
    await one.once(session)
    assert stub.texts(THREAD) == turns(1, 2, 3)


async def test_a_thread_deleted_at_the_server_comes_back_whole_when_its_session_goes_on(
    machine: Machine, stub: Stub
) -> None:
    session = machine.session().turn(1)
    await machine.once(session)
    stub.threads.clear()
    await machine.once(session)
    assert stub.threads == {}
    await machine.once(session.turn(2))
    assert stub.texts(THREAD) == turns(1, 2)


async def test_every_branch_grows_in_its_own_thread(machine: Machine, stub: Stub) -> None:
    session = machine.session().turn(1).turn(2)
    await machine.once(session)
    await machine.once(session.back_to("e2").turn(3))
    await machine.once(session.back_to("e4").turn(4))
    await machine.once(session.back_to("e6").turn(5))
    assert stub.texts(THREAD) == turns(1, 2, 4)
    assert stub.texts(f"{THREAD}-b-e5") == turns(1, 3, 5)


async def test_a_session_without_a_file_is_sent_as_it_was_relayed(machine: Machine, stub: Stub) -> None:
    entries = [{"id": "a", "parentId": None, "role": "user", "text": "Hello"}]
    entries += [{"id": "b", "parentId": "a", "role": "assistant", "text": "Hi!"}]
    async with machine.sync() as sync:
        await sync.observe("shutdown", {"session_id": "x", "session_file": None, "entries": entries})
        assert stub.texts("pi-x") == ["Hello", "Hi!"]
        more = [{"id": "c", "parentId": "b", "role": "user", "text": "And?"}]
        await sync.observe("compact", {"session_id": "x", "entries": more})
        assert stub.texts("pi-x") == ["Hello", "Hi!"]
        more = [{"id": "d", "parentId": "c", "role": "assistant", "text": "That is all."}]
        await sync.observe("compact", {"session_id": "x", "entries": more})
    assert stub.texts("pi-x") == ["Hello", "Hi!", "And?", "That is all."]


async def test_who_may_not_wait_hears_and_drains(machine: Machine, stub: Stub) -> None:
    async with machine.sync() as sync:
        done = sync.hear(PI_EVENTS["agent_settled"], machine.session().turn(1).payload)
        assert not done.is_set()
        await sync.drain(60)
        assert stub.texts(THREAD) == turns(1)
    stub.hanging = True
    async with machine.sync() as sync:
        await sync.drain(0.01)


async def test_a_thread_that_the_server_refuses_holds_no_other_up(machine: Machine, stub: Stub) -> None:
    refused, fine = machine.session().turn(1), machine.session("fine").turn(2)
    stub.refused = {THREAD}
    async with machine.sync() as sync:
        await sync.observe("compact", refused.payload)
        await sync.observe("compact", fine.payload)
        await sync.observe("compact", refused.payload)
        assert not sync.failing
    assert (list(stub.threads), len(machine.told)) == (["pi-fine"], 1)


async def test_where_cursors_cannot_be_kept_it_is_told_and_nothing_breaks(machine: Machine, stub: Stub) -> None:
    machine.folder.mkdir(parents=True)
    (machine.folder / "cursors").write_text("a file in the way")
    await machine.once(machine.session().turn(1))
    assert len(machine.told) == 1


async def test_cursors_are_readable_to_the_user_alone(machine: Machine) -> None:
    await machine.once(machine.session().turn(1))
    folder = machine.folder / "cursors"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
