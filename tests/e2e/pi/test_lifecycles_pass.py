"""When a pass runs, how often, and what it does where others write too: on a real Pi, and what is then on the disk."""

from __future__ import annotations

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import SIDE, Fail, Hold, Model, Say, text_of
from tests.e2e.pi.remembering import Disk, caught_up, memories, memory, pmem, remember, shown, until

DEADLINE = 60.0
TUESDAYS = "Deploys happen on Tuesdays."
DEPLOYS = memory("Deploys", TUESDAYS)
SAID = [f"user: {TUESDAYS}", "assistant: Done."]
PERSONS = "---\ntitle: By hand\ndescription: what a person wrote\n---\n\nThe harbour opens at seven.\n"


def test_five_prompts_make_one_pass_and_four_make_none(pi: PiHost, model: Model) -> None:
    remember(pi, extractEvery=5)
    disk = Disk(pi)
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        for number in range(2, 5):
            rpc.run(f"Prompt {number}.")
        assert len(disk.waiting(rpc)) == 4
        assert model.of(SIDE) == []
        rpc.run("Prompt 5.")
        until(lambda: not disk.jobs())
    (asked,) = model.of(SIDE)
    assert [each for each in shown(asked) if each.startswith("user")] == [
        f"user: {TUESDAYS}", "user: Prompt 2.", "user: Prompt 3.", "user: Prompt 4.", "user: Prompt 5.",
    ]  # fmt: skip
    assert disk.topics() == {"deploys": TUESDAYS}
    assert len(disk.log()) == 1


def test_prompts_during_a_pass_make_one_pass_after_it(pi: PiHost, model: Model) -> None:
    remember(pi, extractEvery=1)
    disk = Disk(pi)
    hold = Hold()
    model.says(Say(memories(DEPLOYS).text, hold=hold), memories(), model=SIDE)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        assert hold.reached.wait(DEADLINE)
        for number in range(2, 5):
            rpc.run(f"Prompt {number}.")
        assert len(disk.waiting(rpc)) == 4
        hold.release.set()
        until(lambda: not disk.jobs())
    first, second = (shown(request) for request in model.of(SIDE))
    assert first == SAID
    assert [each for each in second if each.startswith("user")] == [f"user: Prompt {number}." for number in (2, 3, 4)]
    assert disk.topics() == {"deploys": TUESDAYS}


def test_a_rest_makes_a_pass_of_fewer_prompts(pi: PiHost, model: Model) -> None:
    remember(pi, extractIdleSeconds=0.05)
    disk = Disk(pi)
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        until(lambda: bool(disk.topics()) and not disk.jobs())
        caught_up(rpc)
    assert [shown(request) for request in model.of(SIDE)] == [SAID]
    assert disk.topics() == {"deploys": TUESDAYS}


def test_no_pass_begins_while_an_answer_is_being_given(pi: PiHost, model: Model) -> None:
    remember(pi, extractIdleSeconds=0.05)
    disk = Disk(pi)
    model.says(memories(), memories(DEPLOYS), model=SIDE)
    hold = Hold()
    with pi.rpc() as rpc:
        rpc.run("First.")
        until(lambda: len(disk.log()) == 1)
        model.says(Say("A long answer.", hold=hold))
        rpc.prompt(TUESDAYS)
        assert hold.reached.wait(DEADLINE)
        caught_up(rpc)
        assert (disk.jobs(), len(model.of(SIDE))) == ([], 1)
        hold.release.set()
        rpc.settled()
        until(lambda: bool(disk.topics()) and not disk.jobs())
    assert len(model.of(SIDE)) == 2


def test_what_a_person_writes_during_a_pass_stays_and_the_model_is_asked_again(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    hold = Hold()
    model.says(Say(memories(DEPLOYS).text, hold=hold), memories(DEPLOYS), model=SIDE)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        rpc.send("prompt", message="/pmem extract")
        assert hold.reached.wait(DEADLINE)
        (disk.store.path / "by-hand.md").write_text(PERSONS)
        hold.release.set()
        rpc.notice("written")
    first, second = (text_of(request.messages[-1]) for request in model.of(SIDE))
    assert "by-hand" not in first
    assert "by-hand" in second
    assert disk.topics() == {"deploys": TUESDAYS, "by-hand": "The harbour opens at seven."}
    assert (disk.store.path / "by-hand.md").read_text() == PERSONS
    assert disk.jobs() == []


def test_a_memory_that_is_changed_twice_during_a_pass_is_left_alone_and_the_job_waits(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    once, twice = Hold(), Hold()
    model.says(*(Say(memories(DEPLOYS).text, hold=hold) for hold in (once, twice)), model=SIDE)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        rpc.send("prompt", message="/pmem extract")
        for number, hold in enumerate((once, twice)):
            assert hold.reached.wait(DEADLINE)
            (disk.store.path / f"by-hand-{number}.md").write_text(PERSONS)
            hold.release.set()
        rpc.notice("changed twice")
        assert disk.waiting() == [SAID]
    assert set(disk.topics()) == {"by-hand-0", "by-hand-1"}
    assert [(job.attempts, job.lease) for job in disk.jobs()] == [(0, None)]
    assert disk.writes() == []


def test_after_a_failure_no_pass_begins_for_a_while_and_the_status_says_until_when(pi: PiHost, model: Model) -> None:
    remember(pi, extractEvery=1)
    disk = Disk(pi)
    model.says(Fail(503), model=SIDE)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        until(lambda: len(disk.log()) == 1)
        rpc.run("Second.")
        until(lambda: len(disk.log()) == 2)
        status = pmem(rpc, "status", "Memory writes itself")
    assert "It failed once" in status
    assert "the next pass comes after 20" in status
    assert "Last pass" in status
    assert "skipped" in status
    assert "model_failed" in disk.log()[0]
    assert len(model.of(SIDE)) == 1
    assert [(job.attempts, job.lease) for job in disk.jobs()] == [(1, None), (0, None)]
    assert (disk.topics(), disk.writes()) == ({}, [])


def test_a_days_budget_that_is_used_up_is_said_and_the_job_waits(pi: PiHost, model: Model) -> None:
    remember(pi, dailyPasses=1)
    disk = Disk(pi)
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        pmem(rpc, "extract", "written")
        rpc.run("Second.")
        pmem(rpc, "extract", "today's 1 passes are used up (dailyPasses)")
        status = pmem(rpc, "status", "Memory writes itself")
        assert disk.waiting(rpc) == [["user: Second.", "assistant: Done."]]
    assert "Today: 1 of 1 passes and 110 of 400,000 tokens" in status
    assert len(model.of(SIDE)) == 1
    assert disk.topics() == {"deploys": TUESDAYS}


def test_a_model_that_pi_does_not_have_is_named_and_the_job_waits(pi: PiHost, model: Model) -> None:
    remember(pi, extractModel="fake/unheard-of")
    disk = Disk(pi)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        pmem(rpc, "extract", "the model fake/unheard-of is not configured")
        status = pmem(rpc, "status", "fake/unheard-of is not configured")
        assert disk.waiting(rpc) == [SAID]
    assert "Today: 0 of 40 passes" in status
    assert disk.topics() == {}
