"""The run from the first process started to the last one ended, within one deadline."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskStatus

from freehold.errors import FreeholdError
from freehold.surfaces.cli.tour.notes import Notes
from freehold.surfaces.cli.tour.progress import Progress
from freehold.surfaces.cli.tour.runner import not_run, run_steps
from freehold.surfaces.cli.tour.site import open_site
from freehold.surfaces.cli.tour.step import Outcome, Step
from freehold.surfaces.cli.tour.visit import Tools

SECONDS = 300.0
_START = "Start a browser"
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Opened:
    """Tools that are connected to a browser, and that browser's own name and version."""

    tools: Tools
    browser: str


@dataclass(slots=True)
class Journal:
    """What has happened so far. `signal` is the number of the signal that ended the run, 0 where none did."""

    outcomes: list[Outcome] = field(default_factory=list["Outcome"])
    browser: str = ""
    signal: int = 0


async def travel(
    journal: Journal,
    steps: Sequence[Step],
    opening: Callable[[], AbstractAsyncContextManager[Opened]],
    progress: Progress,
    seconds: float = SECONDS,
) -> None:
    """Open the site and the browser, run `steps`, and close both, also where a signal or the deadline cuts it short.

    `seconds` is the deadline of the whole run. Every step has an outcome in `journal` afterwards.
    """
    async with anyio.create_task_group() as tasks:
        await tasks.start(_listen, journal, tasks.cancel_scope)
        why = await _run(journal, steps, opening, progress, seconds)
        tasks.cancel_scope.cancel()
        _complete(journal, steps, why, progress)
    if journal.signal:
        _complete(journal, steps, f"the tour was ended by {signal.Signals(journal.signal).name}", progress)


async def _run(
    journal: Journal,
    steps: Sequence[Step],
    opening: Callable[[], AbstractAsyncContextManager[Opened]],
    progress: Progress,
    seconds: float,
) -> str:
    try:
        with anyio.fail_after(seconds):
            progress.began(_START)
            with open_site() as site:
                async with opening() as opened:
                    journal.browser = opened.browser
                    await run_steps(steps, opened.tools, site, progress, journal.outcomes)
    except TimeoutError:
        return f"the whole tour was given up after {seconds:.0f} s"
    except FreeholdError as error:
        failed = Outcome(
            _START,
            "The tour has one of its own, with an empty profile.",
            Notes(),
            0.0,
            f"[{error.code}] {error.message}",
        )
        progress.ended(failed)
        journal.outcomes.append(failed)
        return "there is no browser"
    return ""


def _complete(journal: Journal, steps: Sequence[Step], why: str, progress: Progress) -> None:
    reached = {outcome.title for outcome in journal.outcomes}
    left = not_run([step for step in steps if step.title not in reached], why)
    journal.outcomes.extend(left)
    if left:
        progress.left_out(len(left), why)


async def _listen(journal: Journal, scope: anyio.CancelScope, *, task_status: TaskStatus[None]) -> None:
    with anyio.open_signal_receiver(*_SIGNALS) as signals:
        task_status.started()
        async for number in signals:
            journal.signal = number
            scope.cancel()
            return
