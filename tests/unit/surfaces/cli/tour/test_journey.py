from __future__ import annotations

import os
import signal

import anyio
import pytest

from freehold.surfaces.cli.tour.journey import Journal, travel
from freehold.surfaces.cli.tour.visit import Visit
from tests.unit.surfaces.cli.tour.fakes import FakeBrowser, FakeTools, SilentProgress, passes, step, stops

pytestmark = pytest.mark.anyio


async def test_every_step_has_an_outcome_and_the_browser_is_closed() -> None:
    journal, browser = Journal(), FakeBrowser(FakeTools())
    await travel(journal, [step(passes), step(stops)], browser.open, SilentProgress())
    assert [outcome.passed for outcome in journal.outcomes] == [True, False]
    assert journal.browser == "Fake 1"
    assert browser.closed


async def test_without_a_browser_the_reason_comes_first_and_no_step_passes() -> None:
    journal = Journal()
    await travel(journal, [step(passes)], FakeBrowser(FakeTools(), broken=True).open, SilentProgress())
    first, second = journal.outcomes
    assert "There is no Chromium" in first.error
    assert not first.passed
    assert not second.passed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_closes_the_browser_and_the_rest_counts_as_not_run(number: signal.Signals) -> None:
    async def is_interrupted(_: Visit) -> None:
        os.kill(os.getpid(), number)
        await anyio.sleep_forever()

    journal, browser = Journal(), FakeBrowser(FakeTools())
    with anyio.fail_after(10):
        await travel(journal, [step(passes), step(is_interrupted), step(stops)], browser.open, SilentProgress())
    assert journal.signal == number
    assert browser.closed
    assert [outcome.passed for outcome in journal.outcomes] == [True, False, False]


async def test_the_deadline_of_the_whole_run_closes_the_browser() -> None:
    async def hangs(_: Visit) -> None:
        await anyio.sleep_forever()

    journal, browser = Journal(), FakeBrowser(FakeTools())
    await travel(journal, [step(hangs), step(passes)], browser.open, SilentProgress(), seconds=0.05)
    assert browser.closed
    assert [outcome.passed for outcome in journal.outcomes] == [False, False]
