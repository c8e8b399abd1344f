"""Whose words are the user's: what was typed, and not what a template or another extension put in its place."""

from __future__ import annotations

import pytest

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import SIDE, Hold, Model, Say
from tests.e2e.pi.remembering import EXTENSIONS, Disk, memories, memory, pmem, remember, shown

DEADLINE = 60.0
FRIDAYS = "Deploys happen on Fridays."
DEPLOYS = memory("Deploys", FRIDAYS)


def assert_held(pi: PiHost, model: Model) -> None:
    """Assert that the memory waits for the user, and that the model was told why."""
    disk = Disk(pi)
    assert disk.topics() == {}
    assert [held.candidate.title for held in disk.pending()] == ["Deploys"]
    assert shown(model.of(SIDE)[0])[0].startswith("tool: ")


def test_what_the_user_typed_is_kept(pi: PiHost, model: Model) -> None:
    remember(pi)
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc() as rpc:
        rpc.run(FRIDAYS)
        pmem(rpc, "extract", "written")
    assert Disk(pi).topics() == {"deploys": FRIDAYS}
    assert Disk(pi).pending() == []


def test_what_a_run_of_one_prompt_was_given_is_the_users_when_another_session_keeps_it(
    pi: PiHost, model: Model
) -> None:
    remember(pi)
    pi.ask(FRIDAYS)
    model.says(memories(DEPLOYS), model=SIDE)
    pi.ask("/pmem extract")
    assert Disk(pi).topics() == {"deploys": FRIDAYS}


def test_what_a_prompt_template_says_waits_for_the_user(pi: PiHost, model: Model) -> None:
    remember(pi)
    (pi.agent / "prompts").mkdir()
    (pi.agent / "prompts" / "ship.md").write_text(f"---\ndescription: ships\n---\n{FRIDAYS} Ship $1.\n")
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc() as rpc:
        rpc.run("/ship it")
        pmem(rpc, "extract", "written")
    assert any(FRIDAYS in str(message) for message in model.requests[0].messages)
    assert_held(pi, model)


def test_what_a_template_said_waits_also_when_a_later_session_works_through_it(pi: PiHost, model: Model) -> None:
    remember(pi)
    (pi.agent / "prompts").mkdir()
    (pi.agent / "prompts" / "ship.md").write_text(f"{FRIDAYS}\n")
    pi.ask("/ship")
    model.says(memories(DEPLOYS), model=SIDE)
    pi.ask("/pmem extract")
    assert_held(pi, model)


def test_what_another_extension_says_in_the_users_place_waits_for_the_user(pi: PiHost, model: Model) -> None:
    remember(pi)
    pi.extensions.append(str(EXTENSIONS / "sender.ts"))
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc() as rpc:
        rpc.prompt(f"/speak {FRIDAYS}")
        rpc.settled()
        pmem(rpc, "extract", "written")
    assert_held(pi, model)


@pytest.mark.parametrize("kind", ["steer", "follow_up"])
def test_what_the_user_says_while_the_agent_works_is_the_users(pi: PiHost, model: Model, kind: str) -> None:
    remember(pi)
    hold = Hold()
    model.says(Say("A long answer.", hold=hold))
    model.says(memories(memory("Deploys", FRIDAYS, evidence=(3,))), model=SIDE)
    with pi.rpc() as rpc:
        rpc.prompt("First.")
        assert hold.reached.wait(DEADLINE)
        rpc.call(kind, message=FRIDAYS)
        hold.release.set()
        rpc.settled()
        pmem(rpc, "extract", "written")
    assert shown(model.of(SIDE)[0])[2] == f"user: {FRIDAYS}"
    assert Disk(pi).topics() == {"deploys": FRIDAYS}
