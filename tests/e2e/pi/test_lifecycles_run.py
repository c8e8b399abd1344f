"""What of a run is kept: its lifecycles on a real Pi, and what lies on the disk after each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.pi.host import PACKAGE, PiHost
from tests.e2e.pi.model_server import SIDE, Fail, Hold, Model, Say, Use
from tests.e2e.pi.record import Record
from tests.e2e.pi.remembering import EXTENSIONS, Disk, memories, memory, pmem, prompted_while_held, remember, shown
from tests.e2e.pi.rpc import Rpc

TUESDAYS = "Deploys happen on Tuesdays."
DEPLOYS = memory("Deploys", TUESDAYS)
AT_ONCE = {"enabled": True, "maxRetries": 2, "baseDelayMs": 1}


def test_what_a_run_said_is_kept_as_a_job_and_a_pass_writes_it(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    with pi.rpc() as rpc:
        model.says(Say("Noted."))
        rpc.run(TUESDAYS)
        assert disk.waiting(rpc) == [[f"user: {TUESDAYS}", "assistant: Noted."]]
        assert disk.topics() == {}
        model.says(memories(DEPLOYS), model=SIDE)
        pmem(rpc, "extract", "written")
        assert disk.topics() == {"deploys": TUESDAYS}
        assert disk.jobs() == []
        pmem(rpc, "extract", "nothing has settled")
    assert [shown(request) for request in model.of(SIDE)] == [[f"user: {TUESDAYS}", "assistant: Noted."]]


def print_mode(pi: PiHost) -> None:
    assert pi.ask(TUESDAYS).stdout == "Noted.\n"


def json_mode(pi: PiHost) -> None:
    assert pi.events(TUESDAYS)


def terminal(pi: PiHost) -> None:
    with pi.tui() as tui:
        tui.see("fake-main")
        tui.type(TUESDAYS)
        tui.see("Noted.")
        tui.type("/pmem status")
        tui.press("Enter")  # the first one may have taken a completion
        tui.see("1 settled and waiting")
        tui.press("C-c")
        tui.press("C-c")
        tui.ended()


@pytest.mark.parametrize("run", [print_mode, json_mode, terminal])
def test_in_every_mode_what_was_said_waits_for_the_next_session_which_works_it_through_as_it_starts(
    pi: PiHost, model: Model, run: Callable[[PiHost], None]
) -> None:
    remember(pi)
    disk = Disk(pi)
    model.says(Say("Noted."))
    run(pi)
    assert disk.waiting() == [[f"user: {TUESDAYS}", "assistant: Noted."]]
    assert disk.topics() == {}
    assert model.of(SIDE) == []
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc():
        model.wait_for(1, SIDE)
    assert disk.topics() == {"deploys": TUESDAYS}
    assert disk.jobs() == []
    assert len(model.requests) == 2


def test_the_users_words_come_with_the_turn_that_answers_them_and_nothing_comes_twice(
    pi: PiHost, model: Model, record: Record
) -> None:
    pi.pi_settings(retry=AT_ONCE)
    with pi.rpc() as rpc:
        for prompt in ("First", "Second"):
            model.says(Use("fake_echo", text="here"), Fail(503), Say("Done."))
            rpc.run(prompt)
    said: list[tuple[str, str]] = []
    for event in record.events():
        said += [(event["name"], entry["text"]) for entry in event["entries"] if entry["role"] == "user"]
    assert said == [("turn_end", "First"), ("turn_end", "Second")]
    ids = [entry["id"] for event in record.events() for entry in event["entries"]]
    assert len(ids) == len(set(ids))


def tool_turn(rpc: Rpc, model: Model) -> list[str]:
    model.says(Use("read", path="notes.txt"), Say("Read."))
    rpc.run("Read the notes")
    return ["user: Read the notes", "assistant: ", "tool: The harbour opens at seven.", "assistant: Read."]


def retried(rpc: Rpc, model: Model) -> list[str]:
    model.says(Fail(503), Fail(503), Say("At last."))
    rpc.run("Try")
    return ["user: Try", "assistant: At last."]


def retried_after_a_tool(rpc: Rpc, model: Model) -> list[str]:
    model.says(Use("read", path="notes.txt"), Fail(503), Say("Read after all."))
    rpc.run("Read them again")
    return ["user: Read them again", "assistant: Read after all."]


def steered(rpc: Rpc, model: Model) -> list[str]:
    hold = prompted_while_held(rpc, model, "Begin")
    model.says(Say("Steered."))
    rpc.call("steer", message="No, the other one")
    hold.release.set()
    rpc.settled()
    begun = "assistant: The first half, and the second."
    return ["user: Begin", begun, "user: No, the other one", "assistant: Steered."]


def followed_up(rpc: Rpc, model: Model) -> list[str]:
    hold = prompted_while_held(rpc, model, "Begin anew")
    model.says(Say("Followed."))
    rpc.call("follow_up", message="And then this")
    hold.release.set()
    rpc.settled()
    begun = "assistant: The first half, and the second."
    return ["user: Begin anew", begun, "user: And then this", "assistant: Followed."]


def test_each_run_that_ends_well_is_one_job_with_what_it_said(pi: PiHost, model: Model) -> None:
    remember(pi)
    pi.pi_settings(retry=AT_ONCE)
    (pi.project / "notes.txt").write_text("The harbour opens at seven.")
    disk = Disk(pi)
    expected: list[list[str]] = []
    with pi.rpc() as rpc:
        for run in (tool_turn, retried, retried_after_a_tool, steered, followed_up):
            expected.append(run(rpc, model))
            assert disk.waiting(rpc) == expected
    assert disk.waiting() == expected
    assert disk.topics() == {}
    assert model.of(SIDE) == []


@pytest.mark.parametrize("order", [0, 1])
def test_a_run_that_another_extension_continues_is_kept_once_and_when_it_has_ended(
    pi: PiHost, model: Model, order: int
) -> None:
    remember(pi)
    pi.extensions.insert(order, str(EXTENSIONS / "continuing.ts"))
    disk = Disk(pi)
    hold = Hold()
    with pi.rpc() as rpc:
        model.says(Say("A first answer."), Say("A second answer.", hold=hold))
        rpc.prompt("Think twice")
        assert hold.reached.wait(60)
        assert disk.waiting(rpc) == []
        hold.release.set()
        rpc.settled()
        assert disk.waiting(rpc) == [["user: Think twice", "assistant: A second answer."]]
        model.says(Say("A first answer."), Say("Never heard.", hold=(stopped := Hold())))
        rpc.prompt("Think twice, and be stopped")
        assert stopped.reached.wait(60)
        rpc.call("abort")
        stopped.release.set()
        assert len(disk.waiting(rpc)) == 1
    assert disk.topics() == {}


def test_a_compaction_in_the_middle_of_a_run_takes_nothing_from_it_and_adds_nothing(pi: PiHost, model: Model) -> None:
    remember(pi)
    # Over 60 tokens in a context of 128,000 Pi summarizes; the model says that the use of a tool took it to 110.
    pi.pi_settings(compaction={"enabled": True, "reserveTokens": 128_000 - 60, "keepRecentTokens": 10})
    (pi.project / "notes.txt").write_text("The harbour opens at seven.")
    disk = Disk(pi)
    with pi.rpc() as rpc:
        model.says(Say("Good.", tokens=10))
        rpc.run("First " + "word " * 200)
        before = disk.waiting(rpc)
        # It cuts within the run, which takes two summaries: of what came before it, and of its beginning.
        summaries = [Say("A summary."), Say("A summary.")]
        model.says(Use("read", path="notes.txt"), *summaries, Say("Read.", tokens=10))
        rpc.run("Read the notes")
        compacted = [record for record in rpc.seen if record["type"] == "compaction_end"]
        read = ["user: Read the notes", "assistant: ", "tool: The harbour opens at seven.", "assistant: Read."]
        assert disk.waiting(rpc) == [*before, read]
        # The server refuses what is too long for it; Pi summarizes and asks again.
        model.says(Fail(400, "This model's maximum context length is 100 tokens"), Say("A summary."), Say("Short."))
        rpc.run("Again")
        assert disk.waiting(rpc) == [*before, read, ["user: Again", "assistant: Short."]]
    assert len(compacted) == 1
    assert len(before) == 1
    assert disk.topics() == {}


def test_what_a_sub_agent_says_is_its_callers_and_no_conversation_of_the_user(pi: PiHost, model: Model) -> None:
    remember(pi)
    pi.extensions.append(str(EXTENSIONS / "nested.ts"))
    pi.environment["FREEHOLD_TEST_PACKAGE"] = str(PACKAGE)
    disk = Disk(pi)
    with pi.rpc() as rpc:
        model.says(Use("delegate", prompt="Look below"), Use("freehold_tabs_context"), Say("Looked."), Say("Done."))
        rpc.run("Delegate it")
        expected = [["user: Delegate it", "assistant: ", "tool: Looked.", "assistant: Done."]]
        assert disk.waiting(rpc) == expected
    assert disk.waiting() == expected
    assert disk.topics() == {}


def test_a_session_without_a_file_leaves_nothing_for_later_and_a_pass_in_it_writes(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    assert pi.ask(TUESDAYS, "--no-session").returncode == 0
    assert disk.is_untouched()
    with pi.rpc("--no-session") as rpc:
        rpc.run("Something else")
    assert disk.is_untouched()
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc("--no-session") as rpc:
        rpc.run(TUESDAYS)
        assert disk.waiting(rpc) == []
        pmem(rpc, "extract", "written")
        pmem(rpc, "extract", "nothing has settled")
    assert disk.topics() == {"deploys": TUESDAYS}
    assert disk.jobs() == []
    assert [shown(request) for request in model.of(SIDE)] == [[f"user: {TUESDAYS}", "assistant: Done."]]
    assert not list(pi.sessions.rglob("*.jsonl"))
