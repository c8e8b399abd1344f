"""Durable jobs: what has settled and was not worked through yet, for this process or the next."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import filelock
import msgspec

from freehold.memory.extraction import json_file
from freehold.memory.extraction.turns import Settled

MOST = 200
"""Jobs that wait at most; the oldest go first, so that a model that is never configured fills no disk."""

ATTEMPTS = 3
_DONE = 1_000


class Lease(msgspec.Struct, frozen=True):
    """Who works on a job: process and moment (seconds since 1970). The lock beside the job is what holds."""

    process: int
    since: float


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A range of a session file: the ids of its entries in order, and those among them that no tool had a say in."""

    id: str
    session_file: str
    session_id: str
    entries: tuple[str, ...]
    clean: tuple[str, ...] = ()
    created: float = 0.0
    attempts: int = 0
    lease: Lease | None = None


class _Done(msgspec.Struct):
    ids: list[str] = msgspec.field(default_factory=list[str])


@dataclass(slots=True)
class Claim:
    """A job that this process alone works on, until `Jobs.finish`, `Jobs.fail` or `Jobs.release`."""

    job: Job
    lock: filelock.BaseFileLock = field(repr=False)


class Jobs:
    """The jobs of one project, in a folder that all of its processes share.

    A claim holds a lock of the operating system, which ends with its process: a killed worker's job is free at once,
    and a living one's is never taken.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._done = folder.parent / "done.json"

    def add(self, settled: Settled, now: float) -> Job | None:
        """Keep a settled run, for `now` (seconds since 1970); None where it needs none or has had its turn."""
        job = _job(settled, now)
        if not settled.session_file or job.id in self._finished():
            return None
        file = self._file(job.id)
        if not file.exists():
            json_file.save(file, job)
            self._shorten()
        return job

    def waiting(self) -> list[Job]:
        """Return all jobs, the oldest first."""
        found = (json_file.load(file, Job) for file in json_file.listed(self.folder))
        return sorted((job for job in found if job is not None), key=lambda job: (job.created, job.id))

    def claim(self, most: int, now: float) -> list[Claim]:
        """Take up to `most` jobs that nobody works on, the oldest first; each counts as an attempt."""
        claims: list[Claim] = []
        for job in self.waiting():
            if len(claims) >= most:
                break
            claim = self._claim(job.id, now)
            if claim is not None:
                claims.append(claim)
        return claims

    def finish(self, claims: Iterable[Claim]) -> None:
        """Take the jobs away: they are done, and never taken up again."""
        for claim in claims:
            self._remember(claim.job.id)
            self._remove(claim)

    def fail(self, claims: Iterable[Claim]) -> list[Job]:
        """Give jobs back after a failure; return those that had their last attempt and are gone."""
        gone: list[Job] = []
        for claim in claims:
            if claim.job.attempts >= ATTEMPTS:
                gone.append(claim.job)
                self._remove(claim)
            else:
                self._give_back(claim, claim.job.attempts)
        return gone

    def release(self, claims: Iterable[Claim]) -> None:
        """Give jobs back as they were: nothing was tried."""
        for claim in claims:
            self._give_back(claim, claim.job.attempts - 1)

    def _claim(self, job_id: str, now: float) -> Claim | None:
        # Another thread may give it back, so the lock must not belong to one.
        lock = filelock.FileLock(self.folder / f"{job_id}.lock", timeout=0, mode=0o600, thread_local=False)
        try:
            lock.acquire()
        except filelock.Timeout:
            return None
        job = json_file.load(self._file(job_id), Job)
        if job is None or job_id in self._finished():
            # Finished between the look and the lock, or by one who was killed before it could take the file away.
            self._file(job_id).unlink(missing_ok=True)
            lock.release()
            return None
        job = msgspec.structs.replace(job, attempts=job.attempts + 1, lease=Lease(os.getpid(), now))
        json_file.save(self._file(job_id), job)
        return Claim(job, lock)

    def _give_back(self, claim: Claim, attempts: int) -> None:
        try:
            job = msgspec.structs.replace(claim.job, attempts=attempts, lease=None)
            json_file.save(self._file(job.id), job)
        finally:
            claim.lock.release()

    def _remove(self, claim: Claim) -> None:
        try:
            self._file(claim.job.id).unlink(missing_ok=True)
            (self.folder / f"{claim.job.id}.lock").unlink(missing_ok=True)
        finally:
            claim.lock.release()

    def _file(self, job_id: str) -> Path:
        return self.folder / f"{job_id}.json"

    def _finished(self) -> set[str]:
        known = json_file.load(self._done, _Done)
        return set(known.ids) if known else set()

    def _remember(self, job_id: str) -> None:
        with json_file.changing(self._done):
            known = json_file.load(self._done, _Done) or _Done()
            json_file.save(self._done, _Done([*known.ids, job_id][-_DONE:]))

    def _shorten(self) -> None:
        for job in self.waiting()[:-MOST]:
            self._file(job.id).unlink(missing_ok=True)


def _job(settled: Settled, now: float) -> Job:
    ids = tuple(entry.id for entry in settled.entries)
    # The ids alone, not the file: a fork copies entries with their ids, and they are to be worked through once.
    told = hashlib.sha256("\n".join(ids).encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return Job(
        id=told,
        session_file=settled.session_file,
        session_id=settled.session_id,
        entries=ids,
        clean=tuple(entry.id for entry in settled.entries if entry.clean),
        created=now,
    )
