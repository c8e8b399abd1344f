from __future__ import annotations

from typing import Any

import pytest

from freehold.app.runtime import Runtime
from freehold.model.completer import Answer, Request
from freehold.tools.result import ToolResult
from tests.unit.browser.pages import frame

pytestmark = pytest.mark.anyio

NODES = ((0, "button", "Save", 1), (0, "button", "Save as", 2), (0, "link", "Help", 3))


class Tab:
    async def read(self) -> dict[str, Any]:
        return {"frames": [frame(*NODES)]}


class Session:
    """A session whose every tab is the same page."""

    async def tab(self, tab_id: int | None) -> Tab:
        return Tab()


class Model:
    def __init__(self, name: str, answer: str) -> None:
        self.name = name
        self.answer = answer
        self.asked = 0

    async def complete(self, request: Request) -> Answer:
        self.asked += 1
        return Answer(text=self.answer, model=self.name, input_tokens=80, output_tokens=1)


def refs(result: ToolResult) -> list[int]:
    assert not result.is_error, result.text
    return [candidate["ref"] for candidate in result.data["candidates"]]


async def test_find_asks_the_model_of_the_call() -> None:
    result = await Runtime({"browser": Session()}).call("find", {"query": "save"}, Model("hosts", "2"))
    assert refs(result) == [2]
    assert result.data["ranked_by"] == "model"
    assert result.data["model"] == {"name": "hosts", "input_tokens": 80, "output_tokens": 1}
    assert "Chosen by hosts" in result.text


async def test_find_without_a_model_says_that_the_words_ranked() -> None:
    result = await Runtime({"browser": Session()}).call("find", {"query": "save"})
    assert refs(result) == [1, 2]
    assert result.data["ranked_by"] == "words"
    assert "Ranked by words" in result.text


async def test_find_falls_back_to_the_words_and_says_so() -> None:
    result = await Runtime({"browser": Session()}).call("find", {"query": "save"}, Model("hosts", "the first one"))
    assert refs(result) == [1, 2]
    assert (result.data["ranked_by"], result.data["model_fault"]) == ("words", "model_failed")
    assert "model_failed" in result.text


async def test_the_model_of_the_call_comes_before_the_users_endpoint() -> None:
    own, hosts = Model("own", "1"), Model("hosts", "2")
    runtime = Runtime({"browser": Session()}, own)
    assert refs(await runtime.call("find", {"query": "save"}, hosts)) == [2]
    assert own.asked == 0
    assert refs(await runtime.call("find", {"query": "save"})) == [1]
    assert own.asked == 1


async def test_where_the_model_finds_none_nothing_is_named() -> None:
    result = await Runtime({"browser": Session()}).call("find", {"query": "save"}, Model("hosts", "0"))
    assert refs(result) == []
    assert "Nothing on the page fits" in result.text
