"""Recall beside four search libraries, on the same texts in one run: how often the right document is found.

    python benchmarks/recall.py [SET...]

Reads the sets and their scorer from `recall/` in the folder named by `FREEHOLD_DATA`. Freehold searches topic files
with `freehold.memory.recall.search` as its users do: a session of a dialogue is one file, its turns are sections of it;
the others get title, date, speaker and text as one document each, any word may match, and their own defaults otherwise.
Only `scripts/bench` installs the four.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from typing import Any

import Stemmer

from freehold.memory.recall import search
from freehold.memory.scan import Limits

SETS = ("locomo-turn", "locomo-sess", "cmrc", "pycode")
DEPTH = 10
# Python's own functions are 2,082 documents.
LIMITS = Limits(files=5_000)

Row = dict[str, Any]
Search = Callable[[str], list[str]]


def rank_bm25(documents: list[Row]) -> Search:
    """Words split at white space and lower-cased, as its documentation shows."""
    library: Any = import_module("rank_bm25")
    index = library.BM25Okapi([_text(each).lower().split() for each in documents])

    def ask(query: str) -> list[str]:
        scores = index.get_scores(query.lower().split())
        return [documents[at]["id"] for at in scores.argsort()[::-1][:DEPTH]]

    return ask


def bm25s(documents: list[Row]) -> Search:
    """Its tokenizer with Snowball's English stemmer and its English stop words."""
    library: Any = import_module("bm25s")
    stemmer = Stemmer.Stemmer("english")

    def cut(texts: list[str]) -> Any:
        return library.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index: Any = library.BM25()
    index.index(cut([_text(each) for each in documents]), show_progress=False)
    depth = min(DEPTH, len(documents))

    def ask(query: str) -> list[str]:
        found, scores = index.retrieve(cut([query]), k=depth, show_progress=False)
        return [documents[at]["id"] for at, score in zip(found[0], scores[0], strict=True) if score > 0]

    return ask


def fts5_porter(documents: list[Row]) -> Search:
    """SQLite's own `porter unicode61`."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize = 'porter unicode61')")
    db.executemany("INSERT INTO t(rowid, body) VALUES (?, ?)", enumerate(map(_text, documents)))

    def ask(query: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        found = db.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (words or '""', DEPTH))
        return [documents[rowid]["id"] for (rowid,) in found]

    return ask


def tantivy(documents: list[Row]) -> Search:
    """Its `en_stem` tokenizer."""
    library: Any = import_module("tantivy")
    schema = library.SchemaBuilder().add_text_field("body", tokenizer_name="en_stem")
    schema = schema.add_unsigned_field("at", stored=True).build()
    index = library.Index(schema)
    writer = index.writer()
    for at, each in enumerate(documents):
        writer.add_document(library.Document(body=_text(each), at=at))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def ask(query: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query.lower()))
        try:
            hits: Any = searcher.search(index.parse_query(words, ["body"]), DEPTH).hits
        except ValueError:
            # Its tokenizer drops words of more than 40 bytes, and it refuses a query of nothing else.
            return []
        return [documents[searcher.doc(address)["at"][0]]["id"] for _, address in hits]

    return ask


class Store:
    """Documents as topic files. `turns`: what is searched are sections, one of each document."""

    def __init__(self, documents: list[Row], *, turns: bool) -> None:
        self._temporary = tempfile.TemporaryDirectory()
        self._folder = Path(self._temporary.name) / "store"
        self._folder.mkdir()
        self._ids: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        self._turns = turns
        files: defaultdict[str, list[Row]] = defaultdict(list)
        for each in documents:
            files[_session(each) if turns else each["id"]].append(each)
        for name, rows in files.items():
            self._write(_file_name(name), rows)

    def __call__(self, query: str) -> list[str]:
        """Return the ids of what was found, best first."""
        cache = Path(self._temporary.name) / "cache"
        found = search(self._folder, query, limit=DEPTH, by_section=self._turns, limits=LIMITS, cache=cache)
        return list(dict.fromkeys(self._id(hit.name, hit.first) for hit in found.hits))

    def _id(self, name: str, line: int) -> str:
        # A turn of several paragraphs may be several sections.
        starts = self._ids[name]
        return starts[max(bisect_right(starts, line, key=itemgetter(0)) - 1, 0)][1]

    def _write(self, name: str, rows: list[Row]) -> None:
        title = rows[0]["title"] or rows[0]["date"]
        lines = ["---", f"title: {json.dumps(title)}", "---", ""] if title else []
        for row in rows:
            self._ids[name].append((len(lines) + 1, row["id"]))
            lines += _markdown(row)
        (self._folder / f"{name}.md").write_text("\n".join(lines), encoding="utf-8")


def _session(row: Row) -> str:
    return row["id"].split(":")[0]


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name).strip("-.")


def _markdown(row: Row) -> list[str]:
    if row["speaker"]:
        return [f"## {row['speaker']}", "", row["body"], ""]
    turns = re.split(r"\n(?=\w+: )", row["body"]) if row["date"] else []
    if turns:
        parted = (turn.split(": ", 1) for turn in turns)
        return [line for speaker, text in parted for line in (f"## {speaker}", "", text, "")]
    return ["```python", row["body"], "```", ""] if row["title"] else [row["body"], ""]


def _text(row: Row) -> str:
    return "\n".join(row[key] for key in ("title", "date", "speaker", "body"))


def run(name: str, folder: Path, make: Callable[[list[Row]], Search]) -> tuple[Row, float, float]:
    """Return the scorer's figures, and seconds to index and milliseconds a query (CPU time)."""
    queries = _rows(folder / f"{name}.queries.jsonl")
    documents: defaultdict[str, list[Row]] = defaultdict(list)
    for row in _rows(folder / f"{name}.docs.jsonl"):
        documents[row["corpus"]].append(row)
    began = time.process_time()
    indexes = {corpus: make(rows) for corpus, rows in documents.items()}
    for ask in indexes.values():
        ask("first")
    indexed = time.process_time()
    results = [{"id": row["id"], "ranked": indexes[row["corpus"]](row["query"])} for row in queries]
    spent = (time.process_time() - indexed) / len(queries) * 1_000
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in results)
        file.flush()
        scorer = [sys.executable, folder / "score.py", name, file.name]
        told = subprocess.run(scorer, check=True, capture_output=True, timeout=60).stdout
    return json.loads(told), indexed - began, spent


def _rows(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def main() -> int:
    """Print a table for each set; 2 where the sets are not there."""
    folder = Path(os.environ.get("FREEHOLD_DATA", "")) / "recall"
    if not (folder / "score.py").is_file():
        print(f"The sets are not there: {folder}. Set FREEHOLD_DATA to the folder that holds recall/.", file=sys.stderr)
        return 2
    for name in sys.argv[1:] or SETS:
        print(f"{name:14}{'R@1':>7}{'R@10':>7}{'nDCG@10':>9}{'index s':>9}{'query ms':>10}")
        systems: dict[str, Callable[[list[Row]], Search]] = {
            "freehold": lambda rows, turns=name == "locomo-turn": Store(rows, turns=turns),
            "rank_bm25": rank_bm25,
            "bm25s": bm25s,
            "fts5 porter": fts5_porter,
            "tantivy": tantivy,
        }
        for label, make in systems.items():
            score, index, query = run(name, folder, make)
            figures = f"{score['R@1']:7}{score['R@10']:7}{score['nDCG@10']:9}"
            print(f"  {label:12}{figures}{index:9.2f}{query:10.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
