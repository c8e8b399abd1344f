from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from freehold.memory.extraction.turns import TABLE, Signal, State, Step, TurnLedger
from tests.unit.memory.extraction.fakes import Talk, watched


def test_a_prompt_that_ends_well_is_handed_out_when_it_has_settled() -> None:
    talk = watched()
    talk.open()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "A")])
    talk.end()
    assert talk.settled == []
    talk.settle()
    assert talk.texts() == [["Q", "A"]]


def test_a_turn_with_tools_counts_whole() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "I look."), talk.entry("toolResult", "found", "read")])
    talk.turn([talk.entry("assistant", "A")])
    talk.end()
    talk.settle()
    assert talk.texts() == [["Q", "I look.", "found", "A"]]


def test_an_abort_while_streaming_leaves_nothing() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "A ha")], outcome="aborted")
    talk("agent_end")
    talk.settle(aborted=True)
    talk.say("Q2", "A2")
    assert talk.texts() == [["Q2", "A2"]]


def test_an_abort_during_a_tool_is_no_success_although_its_turn_says_completed() -> None:
    talk = watched()
    said = [*talk.prompt("Q"), talk.entry("assistant", "I run it."), talk.entry("toolResult", "killed", "bash")]
    talk.turn(said, signal_aborted=True)
    talk.turn([], outcome="aborted")
    talk("agent_end")
    talk.settle(aborted=True)
    assert talk.settled == []


def test_an_abort_during_a_tool_stays_one_even_where_the_end_claims_success() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("toolResult", "killed", "bash")], signal_aborted=True)
    talk.end()
    talk.settle()
    assert talk.settled == []


def test_an_abort_in_the_delay_before_a_retry_leaves_nothing() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "")], outcome="error")
    talk("agent_end")
    talk.settle(aborted=True)
    assert talk.settled == []


def test_a_retry_that_succeeds_has_the_question_and_its_own_answer() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "failed")], outcome="error")
    talk("agent_end")
    talk("agent_start")
    talk.turn([talk.entry("assistant", "failed again")], outcome="error")
    talk("agent_end")
    talk("agent_start")
    talk.turn([talk.entry("assistant", "A")])
    talk.end()
    talk.settle()
    assert talk.texts() == [["Q", "A"]]


def test_a_final_error_leaves_nothing_although_it_settles_without_abort() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "half")], outcome="error")
    talk.end("error")
    talk.settle()
    assert talk.settled == []


def test_a_continued_run_keeps_the_question_and_the_last_answer() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "first")])
    talk.end(goes_on=True)
    talk("agent_start")
    talk.turn([talk.entry("assistant", "second")])
    talk.end()
    talk.settle()
    assert talk.texts() == [["Q", "second"]]


def test_another_extension_that_goes_on_takes_back_what_was_provisional() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "first")])
    talk.end()
    talk("agent_start")
    talk.turn([talk.entry("assistant", "second")], outcome="aborted")
    talk.settle(aborted=True)
    assert talk.settled == []


def test_another_extension_that_goes_on_well_leaves_the_question_and_the_last_answer() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "first")])
    talk.end()
    talk("agent_start")
    talk.turn([talk.entry("assistant", "second")])
    talk.end()
    talk.settle()
    assert talk.texts() == [["Q", "second"]]


def test_steering_and_follow_ups_belong_to_their_run() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "one")])
    talk("input", text="steer", streamingBehavior="steer")
    talk.turn([talk.entry("user", "steer"), talk.entry("assistant", "two")])
    talk.turn([talk.entry("user", "follow-up"), talk.entry("assistant", "three")])
    talk.end()
    talk.settle()
    assert talk.texts() == [["Q", "one", "steer", "two", "follow-up", "three"]]


def test_a_compaction_in_the_middle_changes_nothing_and_its_summary_is_no_entry() -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "one")])
    talk("session_before_compact", entries=[])
    talk("session_compact", entries=[talk.entry("compactionSummary", "all before")])
    talk.turn([talk.entry("assistant", "two")])
    talk.end()
    talk.settle()
    assert talk.texts() == [["Q", "one", "two"]]


@pytest.mark.parametrize("reason", ["new", "fork", "reload", "resume", "quit"])
def test_what_had_not_settled_goes_with_its_session(reason: str) -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("assistant", "A")])
    talk.end()
    talk.quit(reason)
    talk.settle()
    talk.open(reason)
    talk.settle()
    assert talk.settled == []


def test_events_of_another_session_do_not_settle_this_one() -> None:
    ledger = TurnLedger()
    one, other = Talk(ledger.observe, name="one"), Talk(ledger.observe, name="other")
    one.turn([*one.prompt("Q"), one.entry("assistant", "A")])
    one.end()
    other.settle()
    assert other.settled == []


def test_a_worker_that_comes_in_the_middle_waits_for_the_next_prompt() -> None:
    talk = watched()
    talk.turn([talk.entry("user", "Q"), talk.entry("assistant", "A")])
    talk.end()
    talk.settle()
    talk.say("Q2", "A2")
    assert talk.texts() == [["Q2", "A2"]]


@pytest.mark.parametrize("role", ["custom", "system", "branchSummary", "compactionSummary"])
def test_what_programs_put_into_the_context_is_no_entry(role: str) -> None:
    talk = watched()
    talk.turn(
        [*talk.prompt("Q"), talk.entry(role, "<project-memory>old</project-memory>"), talk.entry("assistant", "A")]
    )
    talk.end()
    talk.settle()
    assert talk.texts() == [["Q", "A"]]


@pytest.mark.parametrize("tool", ["pmem_search", "pmem_read", "nmem_search", "freehold_nmem_thread"])
def test_what_a_memory_answers_is_not_read_again(tool: str) -> None:
    talk = watched()
    talk.turn([*talk.prompt("Q"), talk.entry("toolResult", "recalled", tool), talk.entry("assistant", "A")])
    talk.end()
    talk.settle()
    assert "recalled" not in "".join(talk.texts()[0])


def test_the_agents_words_are_clean_until_a_tool_has_spoken() -> None:
    talk = watched()
    talk.open("startup")
    talk.say("Q", "before")
    talk.turn([*talk.prompt("Q2"), talk.entry("toolResult", "a page", "read_page"), talk.entry("assistant", "after")])
    talk.end()
    talk.settle()
    talk.say("Q3", "much later")
    clean = {entry.text: entry.clean for settled in talk.settled for entry in settled.entries}
    assert clean == {
        "Q": True,
        "before": True,
        "Q2": True,
        "a page": False,
        "after": False,
        "Q3": True,
        "much later": False,
    }


@pytest.mark.parametrize("reason", ["resume", "fork", "reload"])
def test_the_agents_words_are_not_clean_where_the_beginning_is_unknown(reason: str) -> None:
    talk = watched()
    talk.open(reason)
    talk.say("Q", "A")
    assert [entry.clean for entry in talk.settled[0].entries] == [True, False]


def test_a_session_that_is_continued_at_start_up_has_a_past(tmp_path: Path) -> None:
    talk = Talk(TurnLedger().observe, tmp_path / "session.jsonl")
    talk.entry("toolResult", "a page", "read_page")
    talk.open("startup")
    talk.say("Q", "A")
    assert [entry.clean for entry in talk.settled[0].entries] == [True, False]


@pytest.mark.parametrize(
    "listed",
    [None, 3, "x", [None, 1, {}], [{"id": 1, "role": "user"}], [{"id": "a", "role": "user", "text": {"a": 1}}]],
)
def test_entries_that_are_none_do_no_harm(listed: Any) -> None:
    talk = watched()
    talk.prompt("Q")
    talk("turn_end", outcome="completed", entries=listed)
    talk.end()
    talk.settle()
    assert all(entry.text == "" for settled in talk.settled for entry in settled.entries)


def test_only_a_settled_success_is_ever_handed_out_by_the_table() -> None:
    commits = [
        (state, signal) for state, row in TABLE.items() for signal, (_, step) in row.items() if step is Step.COMMIT
    ]
    assert commits == [(State.PROVISIONAL, Signal.SETTLED)]
    assert all(row.get(Signal.LEAVE) == (State.IDLE, Step.DROP) for row in TABLE.values())
