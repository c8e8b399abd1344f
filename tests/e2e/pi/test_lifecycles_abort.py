"""Of a run that was aborted or failed, at whatever moment, nothing is kept: on a real Pi, by what lies on the disk."""

from __future__ import annotations

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import SIDE, Fail, Hold, Model, Say, Use
from tests.e2e.pi.remembering import EXTENSIONS, Disk, pmem, prompted_while_held, remember
from tests.e2e.pi.rpc import Rpc

TUESDAYS = "Deploys happen on Tuesdays."
AT_ONCE = {"enabled": True, "maxRetries": 2, "baseDelayMs": 1}


def aborted_while_streaming(rpc: Rpc, model: Model) -> None:
    hold = prompted_while_held(rpc, model, "Say it")
    rpc.call("abort")
    hold.release.set()


def aborted_during_a_tool(rpc: Rpc, model: Model) -> None:
    model.says(Use("wait"))
    rpc.prompt("Wait for it")
    rpc.event("tool_execution_start")
    rpc.call("abort")


def aborted_with_a_steer_waiting(rpc: Rpc, model: Model) -> None:
    hold = prompted_while_held(rpc, model, "Say it again")
    rpc.call("steer", message="No, this")
    rpc.call("clear_queue")
    rpc.call("abort")
    hold.release.set()


def failed_for_good(rpc: Rpc, model: Model) -> None:
    model.says(Fail(503), Fail(503), Fail(503))
    rpc.run("Try")


def failed_after_a_tool(rpc: Rpc, model: Model) -> None:
    model.says(Use("read", path="notes.txt"), Fail(400))
    rpc.run("Read it")


def test_of_runs_that_were_aborted_or_failed_nothing_is_kept_and_the_next_one_is(pi: PiHost, model: Model) -> None:
    remember(pi)
    pi.pi_settings(retry=AT_ONCE)
    pi.extensions.append(str(EXTENSIONS / "waiting.ts"))
    disk = Disk(pi)
    with pi.rpc() as rpc:
        for run in (
            aborted_while_streaming,
            aborted_during_a_tool,
            aborted_with_a_steer_waiting,
            failed_for_good,
            failed_after_a_tool,
        ):
            run(rpc, model)
            assert disk.waiting(rpc) == [], run.__name__
        pmem(rpc, "extract", "nothing has settled")
        # Pi keeps what was queued when a run is aborted, and says it in the next one, which ends well.
        hold = prompted_while_held(rpc, model, "Say it once more")
        rpc.call("steer", message="On Fridays never.")
        rpc.call("abort")
        hold.release.set()
        assert disk.waiting(rpc) == []
        rpc.run(TUESDAYS)
        assert disk.waiting(rpc) == [[f"user: {TUESDAYS}", "user: On Fridays never.", "assistant: Done."]]
    assert disk.topics() == {}
    assert model.of(SIDE) == []


def test_of_a_run_that_was_aborted_in_the_delay_before_a_retry_nothing_is_kept(pi: PiHost, model: Model) -> None:
    remember(pi, extractEvery=1)
    pi.pi_settings(retry={"enabled": True, "baseDelayMs": 60_000})
    with pi.rpc() as rpc:
        model.says(Fail(503))
        rpc.prompt(TUESDAYS)
        rpc.event("auto_retry_start")
        rpc.call("abort")
        pmem(rpc, "status", "Memory writes itself")
    assert Disk(pi).is_untouched()
    assert model.of(SIDE) == []


def test_of_a_run_that_escape_ended_in_the_terminal_nothing_is_kept(pi: PiHost, model: Model) -> None:
    remember(pi, extractEvery=1)
    hold = Hold()
    model.says(Say("The first half, and the second.", hold=hold))
    with pi.tui() as tui:
        tui.see("fake-main")
        tui.type(TUESDAYS)
        tui.see("The first half")
        tui.press("Escape")
        tui.see("aborted")
        hold.release.set()
        tui.press("C-c")
        tui.press("C-c")
        tui.ended()
    assert Disk(pi).is_untouched()
    assert model.of(SIDE) == []
