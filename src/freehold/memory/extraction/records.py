"""Where the extraction keeps what it knows of a project: beside its topics, in a folder that no recall reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from freehold.memory.extraction import json_file
from freehold.memory.extraction.budget import Budget
from freehold.memory.extraction.clock import Clock, stamp
from freehold.memory.extraction.jobs import Jobs
from freehold.memory.extraction.journal import Journal
from freehold.memory.extraction.log import Log
from freehold.memory.extraction.outcome import Outcome
from freehold.memory.extraction.pending import Pending
from freehold.memory.extraction.settings import ExtractionSettings

FOLDER = ".extraction"


class Records:
    """Jobs, journal, what is pending, budget, log and the last outcome, in `folder`; `clock` tells the time."""

    def __init__(self, folder: Path, settings: Callable[[], ExtractionSettings], clock: Clock) -> None:
        self.folder = folder
        self.jobs = Jobs(folder / "jobs")
        self.journal = Journal(folder / "journal")
        self.pending = Pending(folder / "pending")
        self.budget = Budget(folder / "budget.json", settings, clock)
        self.log = Log(folder / "log")
        self.clock = clock

    def now(self) -> str:
        """Return the moment as ISO 8601, UTC."""
        return stamp(self.clock.now())

    def last(self) -> Outcome | None:
        """Return what became of the last pass of any process, None before the first."""
        return json_file.load(self.folder / "last.json", Outcome)

    def note(self, outcome: Outcome) -> None:
        """Keep the outcome, and a line of it in the log."""
        self.log.add(outcome.when, outcome.line())
        json_file.save(self.folder / "last.json", outcome)
