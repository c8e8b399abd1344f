"""Runs the steps one after the other; a step that fails does not keep the others from running."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import anyio

from freehold.surfaces.cli.tour.notes import Notes
from freehold.surfaces.cli.tour.progress import Progress
from freehold.surfaces.cli.tour.site import Site
from freehold.surfaces.cli.tour.step import Outcome, Step
from freehold.surfaces.cli.tour.visit import Place, StepStoppedError, Tools, Visit

STEP_SECONDS = 60.0


async def run_steps(
    steps: Sequence[Step],
    tools: Tools,
    site: Site,
    progress: Progress,
    outcomes: list[Outcome],
    *,
    step_seconds: float = STEP_SECONDS,
) -> None:
    """Run `steps` and append what came of each to `outcomes`, so that a run that is cut short still has a report.

    `step_seconds` is the deadline of one step; a step that passes it has failed.
    """
    place = Place()
    for step in steps:
        progress.began(step.title)
        outcome = await _run(step, Visit(tools, site, place), step_seconds)
        outcomes.append(outcome)
        progress.ended(outcome)


def not_run(steps: Iterable[Step], why: str) -> list[Outcome]:
    """Return an outcome for each step that was never begun."""
    return [Outcome(step.title, step.story, Notes(), 0.0, f"Not run: {why}") for step in steps]


async def _run(step: Step, visit: Visit, seconds: float) -> Outcome:
    started = time.monotonic()
    error = ""
    try:
        with anyio.fail_after(seconds):
            await step.act(visit)
    except TimeoutError:
        error = f"The step was given up after {seconds:.0f} s."
    except StepStoppedError as stopped:
        error = str(stopped)
    except Exception as fault:  # noqa: BLE001 - a fault in one step is that step's failure; the rest must still run
        error = f"A fault in the tour itself: {type(fault).__name__}: {fault}"
    return Outcome(step.title, step.story, visit.notes, time.monotonic() - started, error)
