"""How often the archive finds the right conversation, memory or piece of code, on SQLite and PostgreSQL, beside memory.

    python benchmarks/archive_recall.py [--database URL] [SET...]

Reads the sets and their scorer from `recall/` in the folder named by `FREEHOLD_DATA`. Sessions of LoCoMo are threads,
each turn a message; paragraphs of CMRC and Python functions are memories. Each corpus is a space of its own. `memory`
is what `benchmarks/recall.py` measures: the project memory's search on the same texts. `--database` adds PostgreSQL.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
import recall

from freehold.server.schemas.memories import NewMemory
from freehold.server.schemas.threads import Message, Thread
from freehold.server.search import memory_search, thread_search
from freehold.server.search.memory_search import Filters
from freehold.server.store import memories, threads
from freehold.server.store.appending import Batch
from freehold.server.store.archive import Archive

SETS = ("locomo-sess", "cmrc", "pycode")
DEPTH = 10

Row = dict[str, Any]


def fill(archive: Archive, name: str, rows: list[Row]) -> None:
    """Put the documents of a set into the archive."""
    by_corpus: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_corpus[f"{name}-{row['corpus']}"].append(row)
    for space_id, some in by_corpus.items():
        with archive.database.writing() as connection:
            for row in some:
                if row["date"]:
                    thread = _thread(row)
                    threads.create(connection, archive, space_id, thread, Batch(thread.messages))
                else:
                    given = NewMemory(content=row["body"], title=row["title"] or None, id=row["id"])
                    memories.save(connection, archive, space_id, given)


def _thread(row: Row) -> Thread:
    turns = [turn for turn in re.split(r"\n(?=\w+: )", row["body"]) if turn]
    said = [Message(content=turn, role="user") for turn in turns]
    return Thread(thread_id=row["id"], messages=said, title=row["title"] or row["date"], source="locomo")


def ask(archive: Archive, name: str, query: Row) -> list[str]:
    """Return the ids of what is found, best first."""
    space_id = f"{name}-{query['corpus']}"
    with archive.database.reading() as connection:
        if name.startswith("locomo"):
            found = thread_search.search(connection, archive, space_id, query["query"], limit=DEPTH)
            return [thread["thread_id"] for thread in found["threads"]]
        answer = memory_search.search(connection, archive, space_id, query["query"], Filters(), limit=DEPTH)
        return [each.memory["id"] for each in answer.memories]


def score(archive: Archive, folder: Path, name: str) -> tuple[Row, float]:
    """Return the scorer's figures and milliseconds a query."""
    fill(archive, name, _rows(folder / f"{name}.docs.jsonl"))
    queries = _rows(folder / f"{name}.queries.jsonl")
    began = time.process_time()
    results = [{"id": query["id"], "ranked": ask(archive, name, query)} for query in queries]
    spent = (time.process_time() - began) / len(queries) * 1_000
    with tempfile.NamedTemporaryFile("wb", suffix=".jsonl") as file:
        file.writelines(msgspec.json.encode(row) + b"\n" for row in results)
        file.flush()
        scorer = [sys.executable, folder / "score.py", name, file.name]
        told = subprocess.run(scorer, check=True, capture_output=True, timeout=60).stdout
    return json.loads(told), spent


def _rows(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def main() -> int:
    """Print a table for each set; 2 where the sets are not there."""
    folder = Path(os.environ.get("FREEHOLD_DATA", "")) / "recall"
    if not (folder / "score.py").is_file():
        print(f"The sets are not there: {folder}. Set FREEHOLD_DATA to the folder that holds recall/.", file=sys.stderr)
        return 2
    arguments = sys.argv[1:]
    places: list[Path | str] = []
    if "--database" in arguments:
        at = arguments.index("--database")
        places.append(arguments[at + 1])
        del arguments[at : at + 2]
    with tempfile.TemporaryDirectory() as temporary:
        places.insert(0, Path(temporary) / "archive.db")
        archives = [Archive(place) for place in places]
        for archive in archives:
            archive.open()
        for name in arguments or SETS:
            print(f"{name:14}{'R@1':>7}{'R@10':>7}{'nDCG@10':>9}{'query ms':>10}")
            told, _, spent = recall.run(name, folder, lambda rows: recall.Store(rows, turns=False))
            _show("memory", told, spent)
            for archive in archives:
                _show(archive.database.dialect, *score(archive, folder, name))
        for archive in archives:
            archive.close()
    return 0


def _show(label: str, told: Row, spent: float) -> None:
    print(f"  {label:12}{told['R@1']:7}{told['R@10']:7}{told['nDCG@10']:9}{spent:10.2f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
