"""The archive finds what the project's memory finds, within a point: the same sets, on both databases.

Reads the sets from `recall/` in the folder that FREEHOLD_DATA names. The figures are those of `benchmarks/recall.py`.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from freehold.server.schemas.memories import NewMemory
from freehold.server.schemas.threads import Message, Thread
from freehold.server.search import memory_search, thread_search
from freehold.server.search.memory_search import Filters
from freehold.server.store import memories, threads
from freehold.server.store.appending import Batch
from freehold.server.store.archive import Archive

# R@1 and R@10 of the project's memory on the same sets, in percent.
# At collection: a skip within a coroutine ends the loop that all tests of the process share.
pytestmark = pytest.mark.skipif(
    not os.environ.get("FREEHOLD_DATA"), reason="FREEHOLD_DATA is not set: it names the folder of the sets"
)

MEMORY = {"locomo-sess": (67.3, 93.9), "cmrc": (97.8, 99.9)}
DEPTH = 10

Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    data = os.environ["FREEHOLD_DATA"]
    text = (Path(data) / "recall" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def fill(archive: Archive, documents: list[Row]) -> None:
    by_corpus: defaultdict[str, list[Row]] = defaultdict(list)
    for row in documents:
        by_corpus[row["corpus"]].append(row)
    for space_id, some in by_corpus.items():
        with archive.database.writing() as connection:
            for row in some:
                if row["date"]:
                    said = [Message(content=turn) for turn in re.split(r"\n(?=\w+: )", row["body"]) if turn]
                    thread = Thread(thread_id=row["id"], messages=said, title=row["date"])
                    threads.create(connection, archive, space_id, thread, Batch(said))
                else:
                    memories.save(connection, archive, space_id, NewMemory(content=row["body"], id=row["id"]))


def ask(archive: Archive, query: Row, *, of_threads: bool) -> list[str]:
    with archive.database.reading() as connection:
        if of_threads:
            found = thread_search.search(connection, archive, query["corpus"], query["query"], limit=DEPTH)
            return [thread["thread_id"] for thread in found["threads"]]
        answer = memory_search.search(connection, archive, query["corpus"], query["query"], Filters(), limit=DEPTH)
        return [each.memory["id"] for each in answer.memories]


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(MEMORY))
def test_it_finds_what_the_projects_memory_finds(database: Path | str, name: str) -> None:
    documents, queries = rows(f"{name}.docs"), rows(f"{name}.queries")
    archive = Archive(database)
    archive.open()
    fill(archive, documents)
    recall = dict.fromkeys((1, DEPTH), 0.0)
    for query in queries:
        found, relevant = ask(archive, query, of_threads=name != "cmrc"), set(query["relevant"])
        for depth in recall:
            recall[depth] += 100 * len(set(found[:depth]) & relevant) / len(relevant) / len(queries)
    archive.close()
    for measured, wanted in zip(recall.values(), MEMORY[name], strict=True):
        assert measured >= wanted - 1.05, recall
