"""What is kept when one session follows another, or runs beside it: on a real Pi, and what then lies on the disk.

A session that begins works through what waits; one of a single prompt (`pi -p`, `--mode json`) leaves it to others.
"""

from __future__ import annotations

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import SIDE, Hold, Model, Say
from tests.e2e.pi.remembering import Disk, caught_up, memories, memory, pmem, remember, shown, until

DEADLINE = 60.0
TUESDAYS = "Deploys happen on Tuesdays."
DEPLOYS = memory("Deploys", TUESDAYS)
SAID = [f"user: {TUESDAYS}", "assistant: Done."]
KEPT = {"deploys": TUESDAYS}


def test_a_new_session_works_through_what_the_one_before_it_left(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        assert disk.waiting(rpc) == [SAID]
        model.says(memories(DEPLOYS), model=SIDE)
        rpc.call("new_session")
        until(lambda: not disk.jobs())
        rpc.run("Second")
        assert disk.waiting(rpc) == [["user: Second", "assistant: Done."]]
    assert [shown(request) for request in model.of(SIDE)] == [SAID]
    assert disk.topics() == KEPT


def test_a_new_session_in_the_middle_of_a_run_keeps_nothing_of_that_run(pi: PiHost, model: Model) -> None:
    remember(pi)
    hold = Hold()
    model.says(Say("A long answer.", hold=hold))
    with pi.rpc() as rpc:
        rpc.prompt(TUESDAYS)
        assert hold.reached.wait(DEADLINE)
        rpc.call("new_session")
        hold.release.set()
        caught_up(rpc)
    assert Disk(pi).is_untouched()


def test_a_fork_works_through_what_it_shares_once_and_keeps_only_its_own(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        rpc.run("Second")
        assert len(disk.waiting(rpc)) == 2
        model.says(memories(DEPLOYS), model=SIDE)
        entry = rpc.call("get_fork_messages")["messages"][-1]["entryId"]
        rpc.call("fork", entryId=entry)
        until(lambda: not disk.jobs())
        rpc.run("Otherwise")
        assert disk.waiting(rpc) == [["user: Otherwise", "assistant: Done."]]
    (asked,) = model.of(SIDE)
    assert shown(asked) == [*SAID, "user: Second", "assistant: Done."]
    assert disk.topics() == KEPT


def test_a_resumed_session_keeps_what_is_new_and_nothing_a_second_time(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        file = rpc.call("get_state")["sessionFile"]
        model.says(memories(DEPLOYS), model=SIDE)
        rpc.call("new_session")
        until(lambda: not disk.jobs())
        rpc.call("switch_session", sessionPath=file)
        rpc.run("Again")
        assert disk.waiting(rpc) == [["user: Again", "assistant: Done."]]
    assert len(model.of(SIDE)) == 1
    assert disk.topics() == KEPT


def test_a_reload_keeps_what_settled_before_it_and_after_it(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    model.says(Say("Noted."), Say("Agreed."))
    with pi.tui() as tui:
        tui.see("fake-main")
        tui.type(TUESDAYS)
        tui.see("Noted.")
        until(lambda: len(disk.jobs()) == 1)
        model.says(memories(DEPLOYS), model=SIDE)
        tui.type("/reload")
        until(lambda: not disk.jobs())
        tui.type("Second")
        tui.see("Agreed.")
        until(lambda: disk.waiting() == [["user: Second", "assistant: Agreed."]])
        tui.press("C-c")
        tui.press("C-c")
        tui.ended()
    assert len(model.of(SIDE)) == 1
    assert disk.topics() == KEPT
    assert disk.waiting() == [["user: Second", "assistant: Agreed."]]


def test_a_run_of_one_prompt_leaves_a_job_that_the_next_session_works_through(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    assert pi.ask(TUESDAYS).stdout == "Done.\n"
    assert disk.waiting() == [SAID]
    assert disk.topics() == {}
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc():
        until(lambda: not disk.jobs())
    assert [shown(request) for request in model.of(SIDE)] == [SAID]
    assert disk.topics() == KEPT


def test_a_run_of_one_prompt_ends_at_once_and_leaves_what_others_left(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    # A model that never answers: whoever asked it would be waited for.
    model.says(Say("{}", hold=Hold()), model=SIDE)
    pi.ask("One")
    pi.ask("Two")
    pi.events("Three")
    assert [each[0] for each in disk.waiting()] == ["user: One", "user: Two", "user: Three"]
    assert model.of(SIDE) == []
    assert [(job.attempts, job.lease) for job in disk.jobs()] == [(0, None)] * 3
    assert disk.log() == []


def test_a_run_of_one_prompt_works_through_what_waits_when_it_is_told_to(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    pi.ask(TUESDAYS)
    model.says(memories(DEPLOYS), model=SIDE)
    assert "written" in pi.ask("/pmem extract").stderr
    assert disk.topics() == KEPT
    assert disk.jobs() == []


def test_a_run_of_one_prompt_takes_the_memorys_commands_while_it_does_not_write_by_itself(
    pi: PiHost, model: Model
) -> None:
    remember(pi, autoExtract=False)
    pi.ask("/pmem save Deploys: Deploys happen on Tuesdays.")
    assert Disk(pi).topics() == KEPT
    assert "Memory writes itself: off" in pi.ask("/pmem").stderr
    pi.ask("/pmem on")
    assert "Memory writes itself: on" in pi.ask("/pmem", "--mode", "json").stderr
    assert model.requests == []


def test_without_a_session_file_nothing_is_left(pi: PiHost, model: Model) -> None:
    remember(pi)
    pi.ask(TUESDAYS, "--no-session")
    assert model.of(SIDE) == []
    assert Disk(pi).is_untouched()


def test_two_pis_in_one_project_do_a_job_once(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    pi.ask(TUESDAYS)
    hold = Hold()
    model.says(Say(memories(DEPLOYS).text, hold=hold), model=SIDE)
    with pi.rpc() as one:
        assert hold.reached.wait(DEADLINE)
        with pi.rpc() as other:
            pmem(other, "extract", "another process is at work on it")
            assert disk.waiting() == [SAID]
            hold.release.set()
            until(lambda: not disk.jobs())
            pmem(other, "extract", "nothing has settled")
        caught_up(one)
    assert len(model.of(SIDE)) == 1
    assert disk.topics() == KEPT
    assert len(disk.writes()) == 1
