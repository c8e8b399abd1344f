"""Eight processes save, one is killed again and again, a person edits: nothing is lost, torn or doubled."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from freehold.memory.store import Store

WRITERS = 8
WRITER = Path(__file__).with_name("memory_writer.py")
DEADLINE = 120.0


class Writer:
    """One writing process and what it was told is saved."""

    def __init__(self, store: Path, name: str) -> None:
        self.saved: list[str] = []
        command = [sys.executable, str(WRITER), str(store), name]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        # A line that a kill cut off has no line end and was not yet said.
        self.saved.extend(line.strip() for line in self.process.stdout if line.endswith("\n"))

    def kill(self) -> None:
        alive = self.process.poll() is None
        self.process.kill()
        _, told = self.process.communicate(timeout=30)
        self._reader.join(30)
        assert alive, told


class Person:
    """Edits files of its own and the index, now in place, now as editors do that write a new file and rename it."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self.lines = 0

    def edit(self) -> None:
        self.lines += 1
        self._append(self._store / f"by hand {self.lines % 5}.md", f"- by hand {self.lines}.\n", in_place=True)
        self._append(self._store / "MEMORY.md", f"- a line of mine: {self.lines}.\n", in_place=self.lines % 2 == 0)

    def _append(self, file: Path, line: str, *, in_place: bool) -> None:
        text = (file.read_text() if file.exists() else "# By hand\n\n") + line
        if in_place:
            file.write_text(text)
        else:
            scratch = file.with_name(f".{file.name}.swp")
            scratch.write_text(text)
            scratch.replace(file)


def run(store: Path, chance: random.Random, *, saves: int, seconds: float) -> tuple[list[str], int]:
    """Let all write until there are `saves` and `seconds` have passed; return what was said to be saved."""
    Store.open(store).save("Shared", "What all of them know.\n", name="shared")
    names = (f"w{number}" for number in range(10_000))
    writers = [Writer(store, next(names)) for _ in range(WRITERS)]
    ended: list[Writer] = []
    person = Person(store)
    began = time.monotonic()
    try:
        while len(said(writers + ended)) < saves or time.monotonic() < began + seconds or len(ended) < 4:
            assert time.monotonic() < began + seconds + DEADLINE
            person.edit()
            if chance.random() < 0.3 and len(said(writers)) > len(ended):
                victim = writers.pop(chance.randrange(WRITERS))
                victim.kill()
                ended.append(victim)
                writers.append(Writer(store, next(names)))
            time.sleep(chance.random() * 0.2)
    finally:
        for writer in writers:
            writer.kill()
    return said(writers + ended), person.lines


def said(writers: list[Writer]) -> list[str]:
    return [line for writer in writers for line in writer.saved]


def losses(folder: Path, saved: list[str], by_hand: int) -> Iterator[str]:
    store = Store.open(folder)
    store.reindex()
    topics = store.topics()
    bodies = [topic.body for topic in topics]
    begun = [mark for body in bodies for mark in re.findall(r"^begin (\S+)$", body, re.MULTILINE)]
    ended = [mark for body in bodies for mark in re.findall(r"^end (\S+)$", body, re.MULTILINE)]
    joint = re.findall(r"^- joint (\S+)\.$", store.topic("shared").body, re.MULTILINE)
    kept = {f"new {mark}" for mark in begun} | {f"joint {mark}" for mark in joint}
    yield from (f"lost: {line}" for line in saved if line not in kept)
    yield from (f"torn: {mark}" for mark in set(begun) ^ set(ended))
    yield from (f"doubled: {mark}" for marks in (begun, joint) for mark in set(marks) if marks.count(mark) > 1)
    yield from (f"broken: {topic.name}: {topic.broken}" for topic in topics if topic.broken)
    text = "".join(bodies) + store.index()
    yield from (f"a person's line is gone: {n}" for n in range(1, by_hand + 1) if f"- by hand {n}.\n" not in text)
    yield from (f"a person's index line is gone: {n}" for n in range(1, by_hand + 1) if f"mine: {n}.\n" not in text)
    linked = re.findall(r"\]\(<?([^)>]+)\.md>?\)", store.index())
    yield from (f"index: {name}" for name in {topic.name for topic in topics} ^ set(linked))
    yield from (f"index, doubled: {name}" for name in set(linked) if linked.count(name) > 1)
    yield from (f"still to mend: {change}" for change in store.reindex(dry_run=True))
    yield from (f"left over: {file.name}" for file in folder.iterdir() if file.name.startswith((".tmp-", ".swap-")))


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_lost_while_eight_write_one_dies_and_a_person_edits(tmp_path: Path, seed: int) -> None:
    saved, by_hand = run(tmp_path / "store", random.Random(seed), saves=40, seconds=0)
    assert list(losses(tmp_path / "store", saved, by_hand)) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100))
def test_nothing_is_lost_in_twenty_seconds_of_it(tmp_path: Path, seed: int) -> None:
    saved, by_hand = run(tmp_path / "store", random.Random(1_000 + seed), saves=60, seconds=20)
    assert list(losses(tmp_path / "store", saved, by_hand)) == []
