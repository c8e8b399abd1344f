"""The find set through the worker's wire to Pi, with a scripted model where Pi's would be.

What goes out and comes in are the lines of PROTOCOL 4; the pages are those of the set, from the folder that
FREEHOLD_DATA names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import anyio
import pytest

from freehold.app.pi.settings import PiSettings
from freehold.browser.choice import choose
from freehold.model.completer import Completer
from freehold.surfaces.pi.session import PiSession
from freehold.surfaces.pi.start import Start
from freehold.tools.result import ToolResult
from freehold.wire import jsonl
from tests.contract.test_find_with_a_model import Case, cases

# At collection: a skip within a coroutine ends the loop that all tests of the process share.
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(
        not os.environ.get("FREEHOLD_DATA"), reason="FREEHOLD_DATA is not set: it names the folder of the sets"
    ),
]

DEADLINE = 60
_LINE = re.compile(r"^(\d+) ", re.MULTILINE)
Answer = Callable[[str, list[int]], "dict[str, Any] | None"]
"""Takes the description and the refs that are offered; returns what Pi answers, None for nothing at all."""


class Pages:
    """A runtime whose `find` looks at the page of the case that the query names by its number."""

    async def call(self, name: str, arguments: Mapping[str, Any], completer: Completer | None = None) -> ToolResult:
        assert name == "find"
        case = cases()[int(arguments["query"])]
        choice = await choose(case.page, case.query, completer)
        refs = [candidate.ref for candidate in choice.candidates]
        return ToolResult("", data={"refs": refs, "model": choice.model, "fault": choice.fault})


class Pi:
    """The other end of the wire: answers what asks a model, and keeps what was asked and the results."""

    def __init__(self, answer: Answer) -> None:
        self.session: PiSession | None = None
        self.asked: list[dict[str, Any]] = []
        self.cancelled: list[str] = []
        self.results: dict[int, dict[str, Any]] = {}
        self._answer = answer
        self._came = anyio.Event()

    def send(self, frame: Mapping[str, Any]) -> None:
        message = over_the_wire(frame)
        if message["type"] == "tool_result":
            self.results[message["id"]] = message["result"]["details"]
            self._came.set()
            self._came = anyio.Event()
        elif message.get("cancel"):
            self.cancelled.append(message["request_id"])
        elif message["type"] == "inference_request":
            self._infer(message)

    def _infer(self, message: dict[str, Any]) -> None:
        assert self.session
        self.asked.append(message)
        text = message["messages"][-1]["content"]
        query, refs = text.splitlines()[0].removeprefix("Description: "), [int(ref) for ref in _LINE.findall(text)]
        result = self._answer(query, refs)
        if result is not None:
            self.session.take(request(0, "inference_response", request_id=message["request_id"], result=result))

    async def result(self, number: int) -> dict[str, Any]:
        with anyio.fail_after(DEADLINE):
            while number not in self.results:
                await self._came.wait()
        return self.results[number]


def over_the_wire(frame: Mapping[str, Any]) -> dict[str, Any]:
    reader = jsonl.LineReader()
    reader.feed(jsonl.line(frame))
    (message,) = reader.messages()
    return message


def request(number: int, method: str, **params: Any) -> dict[str, Any]:
    return over_the_wire({"type": "tool_request", "id": number, "method": method, "params": params})


def said(text: str, **more: Any) -> dict[str, Any]:
    """Return Pi's answer for a model that says `text`."""
    return {"text": text, "tool_uses": [], "model": "fake/scripted", "stop_reason": "stop", "usage": {}, **more}


def constant(result: dict[str, Any] | None) -> Answer:
    def answer(query: str, offered: list[int]) -> dict[str, Any] | None:
        del query, offered
        return result

    return answer


async def through(pi: Pi, numbers: Iterable[int], settings: PiSettings | None = None) -> list[dict[str, Any]]:
    """Return what `find` answers for these cases, called one after the other."""
    start = Start(cwd="/", agent_folder="/", mode="print")
    found: list[dict[str, Any]] = []
    async with anyio.create_task_group() as tasks:
        pi.session = PiSession(pi, tasks, start, settings or PiSettings(), Pages())
        for number in numbers:
            params = {"name": "find", "arguments": {"query": str(number)}, "relay_inference": True}
            pi.session.take(request(number + 1, "tool.call", **params))
            found.append(await pi.result(number + 1))
        tasks.cancel_scope.cancel()
    return found


def knowing(query: str, offered: list[int]) -> dict[str, Any]:
    right = {ref for case in cases() if case.query == query for ref in case.right}
    return said(str(next((ref for ref in offered if ref in right), 0)))


def is_right(found: dict[str, Any], case: Case) -> bool:
    first = found["refs"][0] if found["refs"] else 0
    return first in case.right if case.right else not first


async def test_a_model_that_knows_finds_nearly_everything_in_the_set() -> None:
    pi = Pi(knowing)
    found = await through(pi, range(len(cases())), PiSettings(find_model="fake/scripted"))
    assert {each["model"] for each in found} == {"fake/scripted"}
    right = [is_right(each, case) for each, case in zip(found, cases(), strict=True)]
    assert sum(right) / len(right) >= 0.95
    assert len(pi.asked) == len(found)
    assert {each["model"] for each in pi.asked} == {"fake/scripted"}
    assert [each["call"] for each in pi.asked] == [number + 1 for number in range(len(found))]


def half_known(query: str, offered: list[int]) -> dict[str, Any]:
    del query
    return said(f"{offered[0]}, 999999")


FAILURES: dict[str, tuple[str, dict[str, Any] | Answer]] = {
    "busy": ("model_failed", said("", stop_reason="error", error="503 scripted failure")),
    "aborted": ("model_failed", said("", stop_reason="aborted")),
    "a stale context": ("model_failed", {"stop_reason": "error", "error": "Error: stale"}),
    "no answer to speak of": ("model_failed", {}),
    "no such model": ("model_unavailable", {"missing": "fake/scripted"}),
    "prose": ("model_failed", said("The best one is the first button.")),
    "refs that were not offered": ("model_failed", said("999999, 888888")),
    "half of them not offered": ("model_failed", half_known),
    "a tool instead": ("model_failed", said("", tool_uses=[{"id": "1", "name": "x", "arguments": {}}])),
    "text that is none": ("model_failed", said("") | {"text": None}),
}


@pytest.mark.parametrize("failure", FAILURES)
async def test_every_failure_of_pis_model_leaves_the_set_to_the_local_ranking(failure: str) -> None:
    fault, answer = FAILURES[failure]
    numbers = range(0, len(cases()), 4)
    pi = Pi(answer if callable(answer) else constant(answer))
    expected = [{"refs": cases()[number].local(), "model": "", "fault": fault} for number in numbers]
    assert await through(pi, numbers) == expected


async def test_a_model_that_says_nothing_is_told_to_stop_and_the_local_ranking_answers() -> None:
    pi = Pi(constant(None))
    (found,) = await through(pi, [0], PiSettings(find_seconds=0.1))
    assert found == {"refs": cases()[0].local(), "model": "", "fault": "timeout"}
    assert pi.cancelled == [pi.asked[0]["request_id"]]
