"""A step of the tour, and what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from freehold.surfaces.cli.tour.notes import Notes
from freehold.surfaces.cli.tour.visit import Visit


@dataclass(frozen=True, slots=True)
class Step:
    """One thing the tour shows: a title in plain words, a sentence that says why it matters, and what to do."""

    title: str
    story: str
    act: Callable[[Visit], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A step and what came of it. `error` says why it was not finished; a step without a check has shown nothing."""

    title: str
    story: str
    notes: Notes
    seconds: float
    error: str = ""

    @property
    def passed(self) -> bool:
        """Whether the step was finished and all it checked was so."""
        return not self.error and bool(self.notes.checks) and all(check.passed for check in self.notes.checks)
