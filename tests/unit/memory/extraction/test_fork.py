from __future__ import annotations

from typing import Any

import pytest

from freehold.errors import UnavailableError
from freehold.model.completer import Answer, Request, ToolUse
from tests.unit.memory.extraction.conftest import Place
from tests.unit.memory.extraction.fakes import ScriptedModel, memory

pytestmark = pytest.mark.anyio

FACT = "The nightly build runs on the machine called Falke."


def use(name: str, /, **arguments: Any) -> Answer:
    return Answer(tool_uses=(ToolUse("1", name, arguments),))


def write(title: str, body: str, **more: Any) -> Answer:
    return use("write_memory", **memory(title, body, **more))


async def outcome_of(place: Place, model: ScriptedModel) -> str:
    extraction = place.extraction(model, mode="fork")
    place.talk(extraction).say(FACT)
    return (await extraction.extract()).result


async def test_it_reads_changes_and_adds_and_all_of_it_is_written_at_the_end(place: Place) -> None:
    place.store.save("Zebras", "The zebras are called after build machines.\n")

    def finished(request: Request) -> str:
        assert list(place.bodies()) == ["zebras"]
        return "done"

    model = ScriptedModel(
        use("read_memory"),
        use("read_memory", name="zebras"),
        write("Zebras", f"The zebras are called after build machines.\n{FACT}\n", topic="zebras"),
        write("Nightly build", FACT),
        finished,
    )
    assert await outcome_of(place, model) == "written"
    assert sorted(place.bodies()) == ["nightly-build", "zebras"]
    assert FACT in place.bodies()["zebras"]
    assert {tool.name for request in model.requests for tool in request.tools} == {"read_memory", "write_memory"}


async def test_nothing_to_keep_is_a_success(place: Place) -> None:
    assert await outcome_of(place, ScriptedModel("done")) == "nothing"


@pytest.mark.parametrize(
    "end",
    [
        "I cannot help with that.",
        "",
        '{"memories": []}',
        UnavailableError("model_failed", "503"),
        use("bash", command="ls"),
    ],
    ids=["refusal", "empty", "json", "error", "another tool"],
)
async def test_where_it_does_not_finish_nothing_of_it_is_written(place: Place, end: Any) -> None:
    assert await outcome_of(place, ScriptedModel(write("Nightly build", FACT), end)) == "failed"
    assert place.bodies() == {}


async def test_six_turns_are_the_most(place: Place) -> None:
    model = ScriptedModel(write("Nightly build", FACT))
    assert await outcome_of(place, model) == "failed"
    assert len(model.requests) == 6
    assert place.bodies() == {}


@pytest.mark.parametrize(
    "wrong",
    [
        write("T", FACT, topic="unknown"),
        write("T", FACT, topic="../../etc/passwd"),
        write("T", FACT, topic="zebras"),
        write("T", FACT, evidence=[42]),
        use("write_memory", title="T"),
        use("read_memory", name="../store/zebras"),
        use("read_memory", name="/etc/passwd"),
        use("read_memory", path="x"),
    ],
    ids=range(8),
)
async def test_a_wrong_use_is_answered_as_an_error_and_can_be_mended(place: Place, wrong: Answer) -> None:
    place.store.save("Zebras", "Stripes and hooves.\n")
    model = ScriptedModel(wrong, write("Nightly build", FACT), "done")
    assert await outcome_of(place, model) == "written"
    tool = model.requests[1].messages[-1]
    assert (tool.role, tool.is_error, tool.tool_use_id) == ("tool", True, "1")
    assert "root:" not in tool.text
    assert place.bodies() == {"nightly-build": f"{FACT}\n", "zebras": "Stripes and hooves.\n"}


async def test_a_topic_that_was_read_shows_what_is_staged_for_it(place: Place) -> None:
    place.store.save("Build", "The build is slow.\n")
    changed = write("Build", f"The build is slow.\n{FACT}\n", topic="build")
    model = ScriptedModel(use("read_memory", name="build"), changed, use("read_memory", name="build"), "done")
    assert await outcome_of(place, model) == "written"
    assert FACT in model.requests[3].messages[-1].text


async def test_a_topic_that_was_proposed_twice_is_written_once_as_the_last_one_says(place: Place) -> None:
    model = ScriptedModel(write("Nightly build", "The nightly build runs."), write("Nightly build", FACT), "done")
    assert await outcome_of(place, model) == "written"
    assert place.bodies() == {"nightly-build": f"{FACT}\n"}


async def test_a_secret_in_a_topic_is_not_read_out(place: Place) -> None:
    secret = "hf_" + "a1B2" * 8
    place.store.save("Build", f"It uses {secret}.\n", allow_secrets=True)
    model = ScriptedModel(use("read_memory", name="build"), "done")
    await outcome_of(place, model)
    assert secret not in model.asked
