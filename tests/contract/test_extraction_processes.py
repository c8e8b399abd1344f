"""Several processes extract from one project, some are killed: each job is done once, and nothing is half written."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from freehold.memory.extraction.extraction import Extraction
from freehold.memory.extraction.records import Records
from freehold.memory.extraction.settings import ExtractionSettings
from freehold.memory.store import Store
from freehold.model.completer import Answer, Request
from tests.unit.memory.extraction.fakes import Talk

WORKER = Path(__file__).with_name("extraction_worker.py")
DEADLINE = 60.0


class NoModel:
    async def complete(self, request: Request) -> Answer:
        raise AssertionError(request)


def store_of(folder: Path) -> Store:
    return Store.open(folder / "store")


def settle(folder: Path, names: list[str]) -> None:
    """A session that ends with one settled prompt for each of `names`, as every `pi -p` does."""
    extraction = Extraction(store_of(folder), NoModel(), ExtractionSettings(auto_extract=True))
    for name in names:
        talk = Talk(extraction.observe, folder / "sessions" / f"{name}.jsonl", name)
        talk.open()
        talk.say("\n".join(f"Fact {name}{part}: it is {name}{part * 3} that counts" for part in "xyz"))
        talk.quit()


def records_of(folder: Path) -> Records:
    return Extraction(store_of(folder), NoModel()).records


@contextmanager
def worker(folder: Path, *arguments: str) -> Generator[subprocess.Popen[str]]:
    command = [sys.executable, str(WORKER), str(folder), *arguments]
    # The working folder is no package of tests: what the worker imports is installed.
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONWARNINGS": "error"}
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=DEADLINE)


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def complaints(folder: Path, names: list[str]) -> Iterator[str]:
    """What is lost, doubled, torn or left over, once a last worker has been there."""
    store = store_of(folder)
    bodies = [topic.body for topic in store.topics()]
    for name in names:
        for part in "xyz":
            count = sum(body == f"Fact {name}{part}: it is {name}{part * 3} that counts\n" for body in bodies)
            if count != 1:
                yield f"{name}{part} stands there {count} times"
    if len(bodies) != 3 * len(names):
        yield f"{len(bodies)} topics"
    yield from (f"index: {change}" for change in store.reindex(dry_run=True))
    records = records_of(folder)
    yield from (f"waits: {job.id}" for job in records.jobs.waiting())
    yield from (f"open: {record.number}" for record in records.journal.records() if record.state != "written")


def test_a_job_whose_worker_was_killed_while_the_model_thought_is_taken_up_by_the_next(tmp_path: Path) -> None:
    settle(tmp_path, ["a", "b"])
    with worker(tmp_path, "hang") as first:
        assert line_of(first).startswith("asked")
        with worker(tmp_path) as second:
            assert line_of(second).startswith("skipped"), "the first one lives, and its jobs are its own"
        first.kill()
        first.wait(DEADLINE)
    assert [job.attempts for job in records_of(tmp_path).jobs.waiting()] == [1, 1]
    with worker(tmp_path) as third:
        assert line_of(third).startswith("asked")
        assert line_of(third).startswith("written")
        assert third.wait(DEADLINE) == 0
    assert list(complaints(tmp_path, ["a", "b"])) == []


def test_two_processes_at_once_never_do_one_job_twice(tmp_path: Path) -> None:
    names = ["a", "b"]
    for round_ in range(2):
        now = [f"{name}{round_}" for name in names]
        settle(tmp_path, now)
        with worker(tmp_path) as one, worker(tmp_path) as other:
            told = [process.communicate(timeout=DEADLINE)[0] for process in (one, other)]
        asked = [fact for text in told for fact in re.findall(r"Fact \w+", text.partition("\n")[0])]
        # What both had begun upon a store that the other changed is asked for again by the same process, not by both.
        assert len(asked) == len(set(asked)), told
    last = [f"{name}{round_}" for name in names for round_ in range(2)]
    with worker(tmp_path) as process:
        process.communicate(timeout=DEADLINE)
    assert list(complaints(tmp_path, last)) == []


def killed_again_and_again(folder: Path, chance: random.Random, rounds: int) -> list[str]:
    """Workers are killed at random points; a last one is let be. Returns what was told to the memory."""
    names: list[str] = []
    for round_ in range(rounds):
        names.append(f"n{round_}")
        settle(folder, [names[-1]])
        with worker(folder) as process:
            line_of(process)
            time.sleep(chance.random() * 0.03)
            process.kill()
            process.wait(DEADLINE)
    for _ in range(3):
        with worker(folder) as process:
            process.communicate(timeout=DEADLINE)
        if not records_of(folder).jobs.waiting():
            break
    return names


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_lost_doubled_or_torn_by_kills(tmp_path: Path, seed: int) -> None:
    names = killed_again_and_again(tmp_path, random.Random(seed), 2)
    assert list(complaints(tmp_path, names)) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30))
def test_nothing_is_lost_doubled_or_torn_by_many_kills(tmp_path: Path, seed: int) -> None:
    # Fewer rounds than attempts: a job that kills every worker would be given up.
    names = killed_again_and_again(tmp_path, random.Random(100 + seed), 2)
    assert list(complaints(tmp_path, names)) == []
