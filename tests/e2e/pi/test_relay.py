"""Which events of Pi reach the worker, in which order, with what."""

from __future__ import annotations

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import Fail, Hold, Model, Say, Use
from tests.e2e.pi.record import Record


def names(record: Record) -> list[str]:
    return [event["name"] for event in record.events()]


def test_a_run_with_a_tool_tells_each_entry_once_and_in_order(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_echo", text="looked up"), Say("It is so."))
    pi.ask("Is it so?")
    run = ["before_agent_start", "agent_start", "turn_end", "turn_end", "agent_before_settle", "agent_settled"]
    assert names(record) == run
    entries = [
        entry
        for event in record.events()
        for entry in event["entries"]
        if entry["role"] in {"user", "assistant", "toolResult"}
    ]
    assert [(entry["role"], entry["text"], entry["tool"]) for entry in entries] == [
        ("user", "Is it so?", ""),
        ("assistant", "", ""),
        ("toolResult", "looked up", "fake_echo"),
        ("assistant", "It is so.", ""),
    ]
    assert len({entry["id"] for entry in entries}) == 4
    assert entries[1]["tool_calls"][0]["name"] == "fake_echo"


def test_the_session_and_its_file_are_told(pi: PiHost, model: Model, record: Record) -> None:
    pi.ask("Hello")
    (settled,) = record.events("agent_settled")
    (file,) = pi.sessions.rglob("*.jsonl")
    assert settled["session"]["file"] == str(file)
    assert settled["session"]["id"] in file.name
    assert settled["aborted"] is False


def test_without_a_session_file_none_is_told(pi: PiHost, model: Model, record: Record) -> None:
    pi.ask("Hello", "--no-session")
    assert {event["session"]["file"] for event in record.events()} == {None}


def test_an_abort_while_the_model_speaks_is_told(pi: PiHost, model: Model, record: Record) -> None:
    hold = Hold()
    model.says(Say("A long answer.", hold=hold))
    with pi.rpc() as rpc:
        rpc.prompt("Talk")
        assert hold.reached.wait(60)
        rpc.call("abort")
        hold.release.set()
    assert [event["outcome"] for event in record.events("turn_end")] == ["aborted"]
    assert record.events("agent_before_settle") == []
    assert [event["aborted"] for event in record.events("agent_settled")] == [True]


def test_an_abort_during_a_tool_shows_in_the_signal_though_the_turn_is_completed(
    pi: PiHost, model: Model, record: Record
) -> None:
    model.says(Use("fake_wait"))
    with pi.rpc() as rpc:
        rpc.prompt("Wait")
        record.wait_for("tool.call")
        rpc.call("abort")
    first, *_ = record.events("turn_end")
    assert (first["outcome"], first["signal_aborted"]) == ("completed", True)
    assert [event["aborted"] for event in record.events("agent_settled")] == [True]
    (cancel,) = record.messages("cancel")
    assert cancel["params"]["id"] == record.messages("tool.call")[0]["id"]


def test_a_final_error_is_told_by_its_outcome(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Fail(400))
    pi.ask("Hello")
    assert [event["outcome"] for event in record.events("agent_before_settle")] == ["error"]
    assert [event["aborted"] for event in record.events("agent_settled")] == [False]


def test_the_end_of_a_session_is_told_with_its_reason(pi: PiHost, model: Model, record: Record) -> None:
    with pi.rpc() as rpc:
        rpc.run("Hello")
        rpc.call("new_session")
        rpc.run("Hello again")
    assert [message["params"]["reason"] for message in record.messages("shutdown")] == ["new", "quit"]
    assert [message["params"]["reason"] for message in record.messages("start")] == ["startup", "new"]


def test_a_new_session_tells_only_its_own_entries(pi: PiHost, model: Model, record: Record) -> None:
    with pi.rpc() as rpc:
        rpc.run("First")
        rpc.call("new_session")
        rpc.run("Second")
    sessions = {event["session"]["id"] for event in record.events()}
    assert len(sessions) == 2
    said = [entry["text"] for event in record.events() for entry in event["entries"] if entry["role"] == "user"]
    assert said == ["First", "Second"]


def test_a_resumed_session_does_not_tell_what_was_told_before(pi: PiHost, model: Model, record: Record) -> None:
    pi.ask("First")
    pi.ask("Second", "--continue")
    said = [entry["text"] for event in record.events() for entry in event["entries"] if entry["role"] == "user"]
    assert said == ["First", "Second"]


def test_compaction_is_told_before_and_after(pi: PiHost, model: Model, record: Record) -> None:
    pi.pi_settings(compaction={"enabled": True, "keepRecentTokens": 10})
    with pi.rpc() as rpc:
        rpc.run("First " + "word " * 200)
        rpc.run("Second " + "word " * 200)
        model.says(Say("A summary."))
        rpc.call("compact")
        rpc.run("Third")
    told = names(record)
    assert told.index("session_before_compact") < told.index("session_compact")
    assert [event["reason"] for event in record.events("session_compact")] == ["manual"]
