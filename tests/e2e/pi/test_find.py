"""`find` in Pi: the model of the conversation or a configured one chooses, and whatever it does, the words can too.

One browser and one Pi serve all tests; a change of the settings takes effect with a new session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import MAIN, SIDE, Fail, Hold, Model, Raw, Reply, Request, Say, Use, serving, text_of
from tests.e2e.pi.rpc import Rpc
from tests.e2e.pi.test_session import browser
from tests.e2e.site import serving as serving_site

DEADLINE = 60.0
PAGE = "<button>Delete the invoice</button><button>Save the draft</button><button>Close</button>"
DELETE, SAVE = "Delete the invoice", "Save the draft"


@dataclass
class Desk:
    """A Pi whose browser shows `PAGE`."""

    pi: PiHost
    model: Model
    rpc: Rpc

    def choose(self, **chosen: Any) -> None:
        """Go on in a new session with these settings."""
        self.pi.settings(**{"findModel": f"fake/{SIDE}", "findSeconds": 20, **chosen})
        self.rpc.call("new_session")

    def find(self, *replies: Reply, model: str = SIDE) -> dict[str, Any]:
        """Let the agent look for "delete invoice", and `model` reply to that; return the tool's result."""
        self.model.says(Use("freehold_find", query="delete invoice"))
        self.model.says(*replies, model=model)
        self.model.says(Say("Found."))
        self.rpc.prompt("Find it")
        ended = self.rpc.event("tool_execution_end", toolName="freehold_find")
        self.rpc.settled()
        assert not ended["isError"]
        return ended["result"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with serving() as model, serving_site() as site:
        pi = PiHost(tmp_path_factory.mktemp("pi"), model)
        with browser(pi), pi.rpc() as rpc:
            model.says(Use("freehold_navigate", url=site.page("/", PAGE)), Say("There."))
            rpc.run("Go")
            yield Desk(pi, model, rpc)


def number(request: Request, name: str) -> str:
    """Return the number under which the element is offered to the model."""
    found = re.search(rf"^(\d+) .*{name}", text_of(request.messages[-1]), re.MULTILINE)
    assert found, request.messages
    return found[1]


def save(request: Request) -> Say:
    """Choose what the words would not."""
    return Say(number(request, SAVE))


def names(result: dict[str, Any]) -> list[str]:
    return [each["name"] for each in result["details"]["candidates"]]


def said(result: dict[str, Any]) -> str:
    return result["content"][0]["text"]


def assert_by_words(result: dict[str, Any], fault: str) -> None:
    """Assert that the local ranking answered, with what keeps the model from it."""
    assert names(result)[0] == DELETE
    assert (result["details"]["ranked_by"], result["details"]["model_fault"]) == ("words", fault)
    assert f"Ranked by words: the model did not help ({fault}: " in said(result)


def test_the_model_of_the_conversation_chooses(desk: Desk) -> None:
    desk.choose(findModel="")
    before = len(desk.model.of(SIDE))
    result = desk.find(save, model=MAIN)
    assert names(result) == [SAVE]
    assert result["details"]["ranked_by"] == "model"
    assert f"Chosen by fake/{MAIN}." in said(result)
    assert len(desk.model.of(SIDE)) == before
    assert result["usage"]["output"] == 10


def test_a_configured_model_chooses_in_its_place_and_sees_the_elements_alone(desk: Desk) -> None:
    desk.choose()
    result = desk.find(save)
    assert names(result) == [SAVE]
    assert f"Chosen by fake/{SIDE}." in said(result)
    (asked,) = desk.model.of(SIDE)[-1:]
    assert asked.tools == {}
    assert "Find it" not in asked.raw.decode()


def test_a_model_that_says_there_is_none_is_believed(desk: Desk) -> None:
    desk.choose()
    result = desk.find(Say("0"))
    assert names(result) == []
    assert result["details"]["ranked_by"] == "model"


@pytest.mark.parametrize(
    "reply",
    [
        Fail(503),
        Fail(401),
        Say("The first button is the best."),
        Say("999999, 888888"),
        Say(""),
        Raw(b"<html>"),
    ],
    ids=["busy", "no access", "prose", "refs that do not exist", "nothing", "no stream"],
)
def test_whatever_the_model_fails_with_the_words_decide(desk: Desk, reply: Reply) -> None:
    desk.choose()
    before = len(desk.model.of(SIDE))
    result = desk.find(reply)
    assert_by_words(result, "model_failed")
    assert len(desk.model.of(SIDE)) == before + 1
    if isinstance(reply, Fail):
        assert str(reply.status) in said(result)


def test_a_model_that_is_late_leaves_it_to_the_words_and_its_request_is_ended(desk: Desk) -> None:
    desk.choose(findSeconds=0.2)
    hold = Hold()
    try:
        result = desk.find(Say("1, 2", hold=hold))
        assert_by_words(result, "timeout")
        assert "0.2 s" in said(result)
    finally:
        hold.release.set()


def test_a_model_that_pi_does_not_have_leaves_it_to_the_words(desk: Desk) -> None:
    desk.choose(findModel="fake/unheard-of")
    assert_by_words(desk.find(), "model_unavailable")


def test_an_abort_while_the_model_chooses_ends_the_call_and_the_next_one_works(desk: Desk) -> None:
    desk.choose()
    hold = Hold()
    desk.model.says(Use("freehold_find", query="delete invoice"))
    desk.model.says(Say("1, 2", hold=hold), model=SIDE)
    desk.rpc.prompt("Find it")
    assert hold.reached.wait(DEADLINE)
    desk.rpc.send("abort")
    ended = desk.rpc.event("tool_execution_end")
    desk.rpc.event("agent_settled", aborted=True)
    hold.release.set()
    assert ended["isError"]
    assert "[cancelled]" in said(ended["result"])
    assert names(desk.find(save)) == [SAVE]
