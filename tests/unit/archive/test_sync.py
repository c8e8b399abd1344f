"""Ambient sync: every message once and in order, whatever happens, and nothing waits for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

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
        done = sync.hear("settled", session.payload)
        await anyio.wait_all_tasks_blocked()
        assert stub.requests == []
        await machine.clock.over()
        await done.wait()
    assert [path for _, path, _ in stub.writes] == ["/threads"]
    assert stub.texts(THREAD) == turns(1, 2)
    assert set(machine.clock.asked) == {0.75}


async def test_another_run_within_the_debounce_begins_it_anew(machine: Machine, stub: Stub) -> None:
    session = machine.session()
    async with machine.sync() as sync:
        await sync.observe("settled", session.turn(1).payload)
        done = sync.hear("settled", session.turn(2).payload)
        await machine.clock.first_is_over()
        assert stub.requests == []
        await machine.clock.over()
        await done.wait()
    assert stub.texts(THREAD) == turns(1, 2)


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
    await one.once(session.turn(4))
    await two.once(session.turn(5))
    assert stub.texts(THREAD) == turns(1, 2, 3, 4, 5)
    assert one.told == two.told == []


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


async def test_a_long_thread_comes_back_whole_though_the_server_remembers_its_appends(
    machine: Machine, stub: Stub
) -> None:
    session = machine.session()
    for number in range(110):
        session.turn(number)
    await machine.once(session)
    stub.threads.clear()
    before = len(stub.writes)
    await machine.once(session.turn(110))
    assert stub.texts(THREAD) == turns(*range(111))
    assert len(stub.writes) - before == 4  # not there, made anew, two appends


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


async def test_cursors_are_readable_to_the_user_alone(machine: Machine) -> None:
    await machine.once(machine.session().turn(1))
    folder = machine.folder / "cursors"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
