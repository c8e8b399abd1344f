"""What one pass works on: claimed jobs with their entries, and conversations that are kept nowhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from freehold.memory.extraction import session_file
from freehold.memory.extraction.entry import Entry
from freehold.memory.extraction.jobs import Claim, Job, Jobs
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
    claims = jobs.claim(MOST, now)
    known = _entries([claim.job for claim in claims if claim.job.id not in written])
    for claim in claims:
        there = {entry.id for entry in known.get(claim.job.session_file, ())}
        begun = claim.job.id not in written and not there.isdisjoint(claim.job.entries)
        (taken.claims if begun else taken.over).append(claim)
    # In the order of the conversation: a job may be made later than that of what was said after it (`/pmem extract`).
    taken.entries.extend(entry for entries in known.values() for entry in entries)
    return taken


def _entries(jobs: Sequence[Job]) -> dict[str, list[Entry]]:
    """Return what the jobs speak of, by session file: each may be long, and is read once."""
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    clean: defaultdict[str, set[str]] = defaultdict(set)
    for job in jobs:
        wanted[job.session_file].update(job.entries)
        clean[job.session_file].update(job.clean)
    return {file: session_file.read(Path(file), ids, clean[file]) for file, ids in wanted.items()}
