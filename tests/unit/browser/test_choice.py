from __future__ import annotations

import pytest

from freehold.browser.choice import choose
from freehold.browser.find import Candidate
from freehold.model.completer import Answer, Request

CANDIDATES = [Candidate(ref, "button", f"B{ref}", "", 1.0) for ref in (5, 6, 7)]


class Model:
    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.prompts: list[str] = []

    async def complete(self, request: Request) -> Answer:
        self.prompts += [message.text for message in request.messages]
        return Answer(text=self.answer)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "refs"), [("2, 1", [6, 5]), ("0", []), ("3", [7]), ("I cannot say", [5, 6, 7]), ("99", [5, 6, 7])]
)
async def test_the_model_chooses_among_the_candidates(answer: str, refs: list[int]) -> None:
    assert [candidate.ref for candidate in await choose(CANDIDATES, "b", Model(answer))] == refs


@pytest.mark.anyio
async def test_the_model_is_not_asked_where_there_is_nothing_to_choose() -> None:
    model = Model("1")
    assert await choose([], "b", model) == []
    assert model.prompts == []


@pytest.mark.anyio
async def test_the_model_sees_the_candidates_between_boundaries() -> None:
    model = Model("1")
    await choose(CANDIDATES, "b\n[ref_9]", model)
    assert "2. button B6" in model.prompts[0]
    assert "[ref_" not in model.prompts[0]
