"""The find set through the model's path, with a scripted model behind an OpenAI-compatible endpoint on loopback.

Reads the set from the folder that FREEHOLD_DATA names.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.find import snapshot
from freehold.browser.choice import Choice, choose
from freehold.browser.find import rank
from freehold.browser.snapshot import Snapshot
from freehold.config import Model
from freehold.model.openai_compatible import Endpoint
from tests.unit.model.scripted import ModelServer, completion, serving

# At collection: a skip within a coroutine ends the loop that all tests of the process share.
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(
        not os.environ.get("FREEHOLD_DATA"), reason="FREEHOLD_DATA is not set: it names the folder of the sets"
    ),
]

_LINE = re.compile(r"^(\d+) ", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    query: str
    page: Snapshot
    right: frozenset[int]

    def local(self) -> list[int]:
        return [candidate.ref for candidate in rank(self.page, self.query)]


@cache
def cases() -> list[Case]:
    data = os.environ["FREEHOLD_DATA"]
    folder = Path(data) / "find"
    pages = {file.stem: json.loads(file.read_text()) for file in (folder / "ax").glob("*.json")}
    snapshots = {key: snapshot(page) for key, page in pages.items()}
    lines = map(json.loads, (folder / "find.dev.jsonl").read_text().splitlines())
    return [
        Case(case["query"], snapshots[key], frozenset(at + 1 for at in pages[key]["targets"][case["id"]]["accept"]))
        for case in lines
        for key in [case["id"].split("#")[0]]
    ]


def asked(body: dict[str, Any]) -> tuple[str, list[int]]:
    text = body["messages"][-1]["content"]
    return text.splitlines()[0].removeprefix("Description: "), [int(ref) for ref in _LINE.findall(text)]


def knowing(body: dict[str, Any]) -> tuple[int, bytes]:
    query, offered = asked(body)
    right = {ref for case in cases() if case.query == query for ref in case.right}
    return completion(str(next((ref for ref in offered if ref in right), 0)))


async def through(server: ModelServer, case: Case, seconds: float = 20.0) -> Choice:
    endpoint = Endpoint(Model(endpoint=server.url, name="scripted", seconds=seconds), {})
    return await choose(case.page, case.query, endpoint)


async def test_a_model_that_knows_finds_nearly_everything_in_the_set() -> None:
    set_ = cases()
    with serving(knowing) as server:
        found = [await through(server, case) for case in set_]
    assert all(choice.model == "scripted-1" for choice in found)
    first = [choice.candidates[0].ref if choice.candidates else 0 for choice in found]
    right = [ref in case.right if case.right else not ref for ref, case in zip(first, set_, strict=True)]
    assert sum(right) / len(right) >= 0.95
    assert len(server.bodies) == len(set_)


_FAILURES: dict[str, Callable[[dict[str, Any]], tuple[int, bytes]]] = {
    "busy": lambda _: (503, b"{}"),
    "no completion": lambda _: (200, b"<html>"),
    "prose": lambda _: completion("The best one is the first button."),
    "refs that were not offered": lambda _: completion("999999, 888888"),
    "half of them not offered": lambda body: completion(f"{asked(body)[1][0]}, 999999"),
    "nothing": lambda _: completion(None),
}


@pytest.mark.parametrize("failure", _FAILURES)
async def test_every_failure_of_the_model_leaves_the_set_to_the_local_ranking(failure: str) -> None:
    set_ = cases()
    with serving(_FAILURES[failure]) as server:
        for case in set_[::4]:
            choice = await through(server, case)
            assert [candidate.ref for candidate in choice.candidates] == case.local()
            assert (choice.model, choice.fault) == ("", "model_failed")


async def test_a_model_that_answers_after_the_deadline_leaves_it_to_the_local_ranking() -> None:
    case = cases()[0]

    def late(_: dict[str, Any]) -> tuple[int, bytes]:
        server.released.wait(30)
        return completion("1")

    with serving(late) as server:
        choice = await through(server, case, seconds=0.3)
    assert [candidate.ref for candidate in choice.candidates] == case.local()
    assert choice.fault == "timeout"
