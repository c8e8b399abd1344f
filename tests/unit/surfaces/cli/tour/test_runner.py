from __future__ import annotations

from typing import Any

import anyio
import pytest

from freehold.surfaces.cli.tour.runner import not_run, run_steps
from freehold.surfaces.cli.tour.site import open_site
from freehold.surfaces.cli.tour.step import Outcome
from freehold.surfaces.cli.tour.visit import Visit
from tests.unit.surfaces.cli.tour.fakes import (
    FakeTools,
    SilentProgress,
    breaks,
    differs,
    does_nothing,
    passes,
    step,
    stops,
)

pytestmark = pytest.mark.anyio


async def outcomes_of(*acts: Any, tools: FakeTools | None = None, seconds: float = 60.0) -> list[Outcome]:
    outcomes: list[Outcome] = []
    with open_site() as site:
        steps = [step(act) for act in acts]
        await run_steps(steps, tools or FakeTools(), site, SilentProgress(), outcomes, step_seconds=seconds)
    return outcomes


async def test_a_step_passes_when_all_it_checked_was_so() -> None:
    (outcome,) = await outcomes_of(passes)
    assert outcome.passed
    assert [call.tool for call in outcome.notes.calls] == ["read_page"]


@pytest.mark.parametrize("act", [differs, stops, breaks, does_nothing])
async def test_a_step_fails_and_the_next_still_runs(act: Any) -> None:
    failed, after = await outcomes_of(act, passes)
    assert not failed.passed
    assert after.passed


async def test_a_check_that_fails_says_what_was_expected_and_what_came() -> None:
    (outcome,) = await outcomes_of(differs)
    first, second = outcome.notes.checks
    assert (first.passed, first.expected, first.got) == (False, "1", "2")
    assert second.passed


async def test_a_step_that_takes_too_long_is_given_up() -> None:
    async def hangs(_: Visit) -> None:
        await anyio.sleep_forever()

    hung, after = await outcomes_of(hangs, passes, seconds=0.05)
    assert not hung.passed
    assert hung.error
    assert after.passed


async def test_a_refusal_with_another_code_fails_the_step() -> None:
    async def asks(visit: Visit) -> None:
        await visit.refused("it is refused", "ref_removed", "fails")

    async def asks_rightly(visit: Visit) -> None:
        await visit.refused("it is refused", "unknown_ref", "fails")

    async def is_answered(visit: Visit) -> None:
        await visit.refused("it is refused", "unknown_ref", "read_page")

    wrong, right, answered = await outcomes_of(asks, asks_rightly, is_answered)
    assert (wrong.passed, right.passed, answered.passed) == (False, True, False)


async def test_every_call_after_the_first_visit_names_the_tour_s_tab() -> None:
    async def goes(visit: Visit) -> None:
        await visit.open("/")
        await visit.call("read_page")
        await visit.call("tabs_context")
        await visit.call("read_page", tabId=9)

    tools = FakeTools()
    await outcomes_of(goes, passes, tools=tools)
    assert [arguments.get("tabId") for _, arguments in tools.calls] == [None, 7, None, 9, 7]


async def test_a_step_that_was_not_run_has_not_passed() -> None:
    (outcome,) = not_run([step(passes)], "there is no browser")
    assert not outcome.passed
    assert "there is no browser" in outcome.error
