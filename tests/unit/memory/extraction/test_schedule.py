from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio
import anyio.lowlevel
import pytest

from freehold.memory.extraction.extraction import Extraction
from tests.unit.memory.extraction.conftest import Place
from tests.unit.memory.extraction.fakes import ScriptedModel, SlowModel, answer, memory

pytestmark = pytest.mark.anyio

NOTHING = '{"memories": []}'
DEADLINE = 20.0


@asynccontextmanager
async def running(extraction: Extraction) -> AsyncGenerator[None]:
    with anyio.fail_after(DEADLINE):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(extraction.run)
            yield
            await extraction.drain(0)


async def until(met: Callable[[], bool]) -> None:
    with anyio.fail_after(DEADLINE):
        while not met():
            await anyio.sleep(0.001)


async def turns(count: int = 50) -> None:
    """Let everything that is ready run."""
    for _ in range(count):
        await anyio.lowlevel.checkpoint()


def is_quiet(extraction: Extraction) -> bool:
    """Tell whether no pass has begun: one that has is busy at once, and tells its outcome at its end."""
    return extraction.last is None and not extraction.status()["busy"]


async def test_five_prompts_make_a_pass_and_four_do_not(place: Place) -> None:
    model = ScriptedModel(NOTHING)
    extraction = place.extraction(model)
    async with running(extraction):
        talk = place.talk(extraction)
        for number in range(4):
            talk.say(f"Prompt {number}.")
        await turns()
        assert is_quiet(extraction)
        talk.say("Prompt 4.")
        await until(lambda: extraction.last is not None)
    assert len(model.requests) == 1
    assert all(f"Prompt {number}." in model.asked for number in range(5))
    assert extraction.records.jobs.waiting() == []


async def test_a_hundred_and_twenty_seconds_without_a_prompt_make_one(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(NOTHING))
    async with running(extraction):
        place.talk(extraction).say("One.")
        await turns()
        place.clock.advance(119)
        await turns()
        assert is_quiet(extraction)
        place.clock.advance(1)
        await until(lambda: extraction.last is not None)


async def test_a_run_that_takes_long_is_not_idle(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(NOTHING))
    async with running(extraction):
        talk = place.talk(extraction)
        talk.say("One.")
        said = talk.prompt("Two.")
        await turns()
        place.clock.advance(1_000)
        await turns()
        assert is_quiet(extraction)
        talk.turn([*said, talk.entry("assistant", "Done.")])
        talk.end()
        talk.settle()
        await turns()
        place.clock.advance(120)
        await until(lambda: extraction.last is not None)


async def test_passes_run_one_at_a_time_and_what_comes_meanwhile_makes_one_more(place: Place) -> None:
    model = SlowModel(NOTHING)
    extraction = place.extraction(model, every=1)
    async with running(extraction):
        talk = place.talk(extraction)
        talk.say("Prompt 0.")
        await model.begun.wait()
        for number in range(1, 8):
            talk.say(f"Prompt {number}.")
        await turns()
        assert extraction.status()["busy"]
        model.go.set()
        await until(lambda: len(model.requests) == 2 and not extraction.status()["busy"])
        await turns()
    assert len(model.requests) == 2
    shown = [request.messages[0].text for request in model.requests]
    assert "Prompt 1." not in shown[0]
    assert all(f"Prompt {number}." in shown[1] for number in range(1, 8))


async def test_with_nothing_in_flight_the_end_comes_at_once_and_what_waits_stays(place: Place) -> None:
    model = ScriptedModel(NOTHING)
    extraction = place.extraction(model)
    async with running(extraction):
        talk = place.talk(extraction)
        talk.say("One.")
        talk.quit()
        assert await extraction.drain(15)
    assert model.requests == []
    assert len(extraction.records.jobs.waiting()) == 1


async def test_the_next_session_works_through_what_the_last_one_left(place: Place) -> None:
    fact = "The nightly build runs on the machine called Falke."
    before = place.extraction()
    place.talk(before).say(fact)
    after = place.extraction(ScriptedModel(answer(memory("Nightly build", fact))))
    async with running(after):
        place.talk(after)
        await until(lambda: after.last is not None)
    assert list(place.bodies()) == ["nightly-build"]


async def test_a_pass_in_flight_is_waited_for_at_the_end(place: Place) -> None:
    model = SlowModel(NOTHING)
    extraction = place.extraction(model, every=1)
    ended: list[bool] = []
    async with running(extraction), anyio.create_task_group() as tasks:

        async def end() -> None:
            ended.append(await extraction.drain(15))

        place.talk(extraction).say("One.")
        await model.begun.wait()
        tasks.start_soon(end)
        await turns()
        place.clock.advance(14)
        await turns()
        assert ended == []
        model.go.set()
    assert ended == [True]
    assert extraction.records.jobs.waiting() == []


async def test_a_model_that_is_slower_than_fifteen_seconds_is_left_and_its_job_stays_as_it_was(place: Place) -> None:
    model = SlowModel(answer(memory("Late", "One.")))
    extraction = place.extraction(model, every=1)
    ended: list[bool] = []
    async with running(extraction), anyio.create_task_group() as tasks:

        async def end() -> None:
            ended.append(await extraction.drain())

        place.talk(extraction).say("One.")
        await model.begun.wait()
        tasks.start_soon(end)
        await turns()
        place.clock.advance(15)
    assert ended == [False]
    assert place.bodies() == {}
    assert [job.attempts for job in extraction.records.jobs.waiting()] == [0]
    again = place.extraction(ScriptedModel(answer(memory("Late", "One."))))
    assert (await again.extract()).wrote == ("late",)


async def test_a_pass_that_is_asked_for_waits_for_the_one_that_runs(place: Place) -> None:
    model = SlowModel(NOTHING)
    extraction = place.extraction(model, every=1)
    async with running(extraction), anyio.create_task_group() as tasks:
        place.talk(extraction).say("One.")
        await model.begun.wait()
        tasks.start_soon(extraction.extract)
        await turns()
        assert model.requests == []
        model.go.set()
    assert len(model.requests) == 1


async def test_turned_off_nothing_runs_and_turned_on_what_waits_is_worked_through(place: Place) -> None:
    model = ScriptedModel(NOTHING)
    extraction = place.extraction(model)
    async with running(extraction):
        talk = place.talk(extraction)
        talk.say("One.")
        extraction.turn(on=False)
        for _ in range(9):
            talk.say("More.")
        await turns()
        assert is_quiet(extraction)
        extraction.turn(on=True)
        await until(lambda: extraction.last is not None)
    assert len(model.requests) == 1
