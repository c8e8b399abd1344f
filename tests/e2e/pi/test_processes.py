"""The worker's process: it lives as long as its session and no longer, whatever happens to either."""

from __future__ import annotations

import os
import signal
import time

import pytest

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import Hold, Model, Say, Use
from tests.e2e.pi.record import Record
from tests.e2e.processes import runs

DEADLINE = 60.0


def gone(pid: int) -> bool:
    """Wait for a process to end."""
    deadline = time.monotonic() + DEADLINE
    while runs(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_a_prompt_ends_with_its_answer_and_no_process_stays(pi: PiHost, model: Model) -> None:
    model.says(Use("freehold_tabs_context"), Say("Looked."))
    done = pi.ask("Look")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Looked.\n", "")
    assert pi.workers() == []


def test_a_worker_ends_when_pi_is_killed(pi: PiHost, model: Model, record: Record) -> None:
    with pi.rpc() as rpc:
        rpc.run("Hello")
        rpc.kill(signal.SIGKILL)
    assert gone(record.pids[0])
    assert record.messages("shutdown") == []


def test_a_worker_is_told_of_the_end_when_pi_is_terminated(pi: PiHost, model: Model, record: Record) -> None:
    with pi.rpc() as rpc:
        rpc.run("Hello")
        assert rpc.kill(signal.SIGTERM) == 143
    assert gone(record.pids[0])
    assert [message["params"]["reason"] for message in record.messages("shutdown")] == ["quit"]


def test_an_interrupt_from_the_terminal_ends_the_worker_by_the_end_of_its_input(pi: PiHost, model: Model) -> None:
    hold = Hold()
    model.says(Say("A long answer.", hold=hold))
    with pi.rpc() as rpc:
        rpc.prompt("Talk")
        assert hold.reached.wait(DEADLINE)
        (worker,) = pi.workers()
        rpc.interrupt()
        hold.release.set()
    assert gone(worker)
    log = (pi.home / "pi-worker.log").read_text()
    assert "ended" in log
    assert "Traceback" not in log + rpc.errors


def test_a_worker_that_is_killed_during_a_call_is_started_again_once(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_wait"), Use("fake_echo", text="back"), Say("Done."))
    with pi.rpc() as rpc:
        rpc.prompt("Go")
        record.wait_for("tool.call")
        os.kill(record.pids[0], signal.SIGKILL)
        rpc.settled()
    first, second = (message["content"] for message in model.requests[-1].messages if message["role"] == "tool")
    assert "[connection_lost]" in str(first)
    assert second == "back"
    assert [message["params"]["reason"] for message in record.messages("start")] == ["startup", "restart"]
    assert len(record.messages("sections")) == 1


def test_a_worker_that_is_killed_between_calls_is_missed_by_nobody(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_echo", text="one"), Say("First."), Use("fake_echo", text="two"), Say("Second."))
    with pi.rpc() as rpc:
        rpc.run("Go")
        os.kill(record.pids[0], signal.SIGKILL)
        assert gone(record.pids[0])
        rpc.run("Go on")
    assert model.last_result() == "two"


def test_a_worker_that_ends_twice_in_a_row_is_left_alone(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_crash"), Use("fake_crash"), Use("fake_echo", text="x"), Say("Given up."))
    assert pi.ask("Go").stdout == "Given up.\n"
    assert "[pi_failed]" in model.last_result()
    assert len(record.pids) == 2


def test_a_stubborn_worker_is_killed(pi: PiHost, model: Model, record: Record) -> None:
    pi.settings(command=[*record.command, "stubborn"])
    assert pi.ask("Hello").returncode == 0
    assert not runs(record.pids[0])


def test_a_new_session_has_a_worker_of_its_own_and_the_old_one_ends(pi: PiHost, model: Model, record: Record) -> None:
    with pi.rpc() as rpc:
        rpc.run("First")
        rpc.call("new_session")
        rpc.run("Second")
        old, new = record.pids
        assert not runs(old)
        assert runs(new)
    assert gone(new)


def test_a_fork_and_a_resumed_session_have_workers_of_their_own(pi: PiHost, model: Model, record: Record) -> None:
    with pi.rpc() as rpc:
        rpc.run("First")
        rpc.run("Second")
        file = rpc.call("get_state")["sessionFile"]
        entry = rpc.call("get_fork_messages")["messages"][-1]["entryId"]
        rpc.call("fork", entryId=entry)
        rpc.run("Otherwise")
        rpc.call("switch_session", sessionPath=file)
        rpc.run("Again")
        running = [pid for pid in record.pids if runs(pid)]
        assert len(running) == 1
    assert [message["params"]["reason"] for message in record.messages("start")] == ["startup", "fork", "resume"]


def test_a_reload_has_a_worker_of_its_own_and_its_tools_work(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Say("Hi."), Use("fake_echo", text="after"), Say("Done."))
    with pi.tui() as tui:
        tui.see("fake-main")
        tui.type("Hello")
        tui.see("Hi.")
        tui.type("/reload")
        record.wait_for("start", 2)
        record.wait_for("sections", 2)
        tui.type("Again please")
        tui.see("Done.")
        tui.press("C-c")
        tui.press("C-c")
        tui.ended()
    assert model.last_result() == "after"
    assert [message["params"]["reason"] for message in record.messages("start")] == ["startup", "reload"]
    assert [message["params"]["reason"] for message in record.messages("shutdown")] == ["reload", "quit"]
    assert all(gone(pid) for pid in record.pids)


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("--list-models",)])
def test_no_worker_is_started_where_there_is_no_session(pi: PiHost, record: Record, words: tuple[str, ...]) -> None:
    assert pi.run(*words).returncode == 0
    assert record.pids == []
