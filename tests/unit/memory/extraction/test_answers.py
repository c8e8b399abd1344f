"""What a model answers is written whole, or not at all."""

from __future__ import annotations

import pytest

from freehold.model.completer import Answer, ToolUse
from tests.unit.memory.extraction.conftest import Place
from tests.unit.memory.extraction.fakes import ScriptedModel, answer, memory

pytestmark = pytest.mark.anyio

FACT = "The nightly build runs on the machine called Falke."
KEPT = answer(memory("Nightly build", f"{FACT}\n"))


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "not JSON",
        "I cannot help with that.",
        f"Here you are:\n{KEPT}",
        f"{KEPT}\nAnything else?",
        KEPT[:-1],
        "[]",
        '{"memories": [{"title": "T", "body": "B"}]}',
        '{"memories": [{"title": "T", "body": "B", "evidence": []}]}',
        '{"memories": [], "note": "x"}',
        answer(memory("Nightly build", FACT, topic="no-such-topic")),
        answer(memory("Nightly build", FACT, topic="../../etc/passwd")),
        answer(memory("Nightly build", FACT, evidence=[99])),
        answer(memory("", FACT)),
        answer(memory("T", "x" * 6_001)),
        answer(*[memory(f"T{number}", FACT) for number in range(9)]),
        answer(memory("T", "x\x00y")),
        "x" * 100_000,
        KEPT + " " * 100_000,
        "[" * 50_000,
    ],
)
async def test_an_answer_that_is_not_what_was_asked_for_writes_nothing_and_one_line(place: Place, reply: str) -> None:
    extraction = place.extraction(ScriptedModel(reply))
    place.talk(extraction).say(FACT)
    outcome = await extraction.extract()
    assert outcome.result == "failed"
    assert place.bodies() == {}
    assert not (place.store.path / "MEMORY.md").exists()
    assert len(extraction.records.log.lines()) == 1
    assert len(extraction.records.jobs.waiting()) == 1


async def test_one_bad_memory_among_good_ones_writes_none(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(answer(memory("Good", FACT), memory("Bad", FACT, topic="unknown"))))
    place.talk(extraction).say(FACT)
    await extraction.extract()
    assert place.bodies() == {}


async def test_json_in_one_fence_is_json(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(f"```json\n{KEPT}\n```"))
    place.talk(extraction).say(FACT)
    assert (await extraction.extract()).result == "written"


async def test_a_model_that_uses_tools_without_having_any_writes_nothing(place: Place) -> None:
    use = Answer(text=KEPT, tool_uses=(ToolUse("1", "bash", {"command": "ls"}),))
    extraction = place.extraction(ScriptedModel(use))
    place.talk(extraction).say(FACT)
    assert (await extraction.extract()).result == "failed"
    assert place.bodies() == {}
