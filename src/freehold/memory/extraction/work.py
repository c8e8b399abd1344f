"""What one pass works on: claimed jobs with their entries, and conversations that are kept nowhere."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from freehold.memory.extraction import session_file
from freehold.memory.extraction.entry import Entry
from freehold.memory.extraction.jobs import Claim, Jobs
from freehold.memory.extraction.turns import Settled

MOST = 20
"""Jobs of one pass."""


@dataclass(frozen=True, slots=True)
class Work:
    """What is worked on. `over`: claims that need no work, written already or with their session deleted."""

    claims: list[Claim]
    entries: list[Entry]
    over: list[Claim]

    def job_ids(self) -> tuple[str, ...]:
        """Return the ids of the jobs."""
        return tuple(claim.job.id for claim in self.claims)


def claimed(jobs: Jobs, unkept: Sequence[Settled], written: Collection[str], now: float) -> Work:
    """Claim what waits and read its entries; `written`: the jobs whose memories a killed process has written."""
    taken = Work([], [entry for one in unkept for entry in one.entries], [])
    for claim in jobs.claim(MOST, now):
        job = claim.job
        found = [] if job.id in written else session_file.read(Path(job.session_file), set(job.entries), set(job.clean))
        (taken.claims if found else taken.over).append(claim)
        taken.entries.extend(found)
    return taken
