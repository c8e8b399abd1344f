"""What travels between Pi's extension and its worker, on a real Pi."""

from __future__ import annotations

import json

from tests.e2e.pi.fake_worker import STRANGE
from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import Fail, Model, Say, Use
from tests.e2e.pi.record import Record

TEN_MEGABYTES = 10_000_000


def test_a_tools_strange_characters_reach_the_model(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_strange"))
    assert pi.ask("go").returncode == 0
    # Pi itself replaces half a surrogate pair on its way to a provider, which could not take it.
    assert model.last_result().replace("\ufffd", "") == STRANGE.replace("\ud83d", "")


def test_the_models_strange_characters_reach_the_tool(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_echo", text=STRANGE))
    pi.ask("go")
    (call,) = record.messages("tool.call")
    assert call["params"]["arguments"]["text"] == STRANGE


def test_a_result_of_ten_megabytes_survives(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_blob", size=TEN_MEGABYTES))
    assert pi.ask("go").returncode == 0
    assert len(model.last_result().encode()) == TEN_MEGABYTES


def test_what_is_no_message_or_unknown_is_ignored(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_noise"))
    assert pi.ask("go").returncode == 0
    assert model.last_result() == "heard"


def test_progress_is_shown_before_the_result(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_progress"))
    events = pi.events("go")
    partial = [json.dumps(event) for event in events if event["type"] == "tool_execution_update"]
    assert any("half way" in each for each in partial)
    assert model.last_result() == "all the way"


def test_the_model_is_asked_through_the_relay_with_the_users_key(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_ask", text="How many?"), Say("Four."), Say("Fine."))
    assert pi.ask("go").stdout == "Fine.\n"
    asked = model.requests[1]
    assert asked.system == "Be short."
    assert [message["content"] for message in asked.messages if message["role"] == "user"] == ["How many?"]
    answer = json.loads(model.last_result())
    assert (answer["text"], answer["model"], answer["stop_reason"]) == ("Four.", "fake/fake-main", "stop")


def test_a_tool_call_says_that_there_is_a_model_to_relay_to(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_echo", text="x"))
    pi.ask("go")
    assert record.messages("tool.call")[0]["params"]["relay_inference"] is True


def test_what_a_relayed_request_cost_stands_with_the_tools_result(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_ask", text="How many?"), Say("Four.", tokens=321), Say("Fine."))
    events = pi.events("go")
    results = [
        event["message"]
        for event in events
        if event["type"] == "message_end" and event["message"]["role"] == "toolResult"
    ]
    assert results[0]["usage"]["input"] == 321


def test_a_model_that_fails_is_told_to_the_worker(pi: PiHost, model: Model, record: Record) -> None:
    model.says(Use("fake_ask", text="How many?"), Fail(400), Say("Fine."))
    pi.ask("go")
    answer = json.loads(model.last_result())
    assert answer["stop_reason"] == "error"
    assert answer["error"]
