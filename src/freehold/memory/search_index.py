"""The search index of a store: SQLite's FTS5 fed with our own terms, one row a topic, and where its sections lie in it.

All of it is derived from the files: it may be deleted at any time, and so it is not flushed to the disk, only written.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec

from freehold.memory import topic as topics
from freehold.memory.scan import Content, LeftOut, Limits, Seen, read, scan
from freehold.memory.sections import sections
from freehold.text import analyzer
from freehold.text.analyzer import joined_terms

# Name of the file, front matter, headings, body.
WEIGHTS = (3.0, 3.0, 2.5, 1.0)
# Part of the index's file name: one of another version is not read, and deleted.
VERSION = hashlib.sha256(f"2 {analyzer.VERSION} {sqlite3.sqlite_version}".encode()).hexdigest()[:8]

# Seconds for which another process may keep the index locked; it does for a second or so.
WAIT = 10.0
# So many topics are written at once: a kill loses no more, and another process waits no longer.
_BATCH = 250
_SCHEMA = (
    (
        "CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, "
        "changed INTEGER NOT NULL, settled INTEGER NOT NULL, length INTEGER NOT NULL, count INTEGER NOT NULL, "
        "digest BLOB NOT NULL, title TEXT NOT NULL, parts BLOB NOT NULL)"
    ),
    "CREATE INDEX file_stamp ON file (name, size, changed, settled)",
    "CREATE TABLE total (topics INTEGER NOT NULL, sections INTEGER NOT NULL, terms INTEGER NOT NULL)",
    "INSERT INTO total VALUES (0, 0, 0)",
    (
        "CREATE TRIGGER file_added AFTER INSERT ON file BEGIN UPDATE total SET "
        "topics = topics + 1, sections = sections + new.count, terms = terms + new.length; END"
    ),
    (
        "CREATE TRIGGER file_dropped AFTER DELETE ON file BEGIN UPDATE total SET "
        "topics = topics - 1, sections = sections - old.count, terms = terms - old.length; END"
    ),
    "CREATE VIRTUAL TABLE topic USING fts5(name, front, headings, body, tokenize = 'ascii')",
    "CREATE VIRTUAL TABLE term USING fts5vocab(topic, 'row')",
    f"INSERT INTO topic(topic, rank) VALUES('rank', 'bm25{WEIGHTS}')",
)
_SELECT = (
    "SELECT id, file.name, title, length, parts, topic.name, front, headings, body "
    "FROM file JOIN topic ON topic.rowid = id"
)
_KEY = re.compile(r"^[ \t]*[\w-]+:(?=[ \t]|$)", re.MULTILINE)
# The hour a topic was written says nothing of what it is about; the day may be asked for.
_HOUR = re.compile(r"(?<=\d)T\d\d:\d\d:\d\d\S*")


class Part(msgspec.Struct, array_like=True, frozen=True):
    """A section as the index knows it.

    `first`, `last`: its lines in the file, from 1. `start`: where its terms begin in the body's, `length`: how many.
    `under`: where the terms of its heading begin in the headings', -1 without one.
    """

    heading: str
    first: int
    last: int
    start: int
    length: int
    under: int


class Entry(msgspec.Struct, frozen=True):
    """A topic that may answer a query: its terms by column, and its sections. `length`: how many terms in all."""

    name: str
    title: str
    length: int
    parts: list[Part]
    columns: tuple[str, str, str, str]


class Synced(msgspec.Struct):
    """What a sync did, in topics, and what is not searched."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    left_out: tuple[LeftOut, ...] = ()


class Totals(msgspec.Struct, frozen=True):
    """How large the index is: topics, sections, and terms in all topics and all bodies."""

    topics: int
    sections: int
    terms: int


class SearchIndex:
    """An open index, for one thread at a time.

    `file`: where it lies, made where it is missing; None keeps it in memory. `wait`: seconds.
    """

    def __init__(self, file: Path | None, *, wait: float = WAIT) -> None:
        self._db = sqlite3.connect(file or ":memory:", timeout=wait, isolation_level=None, check_same_thread=False)
        try:
            if not self._has_tables():
                self._make(file)
        except sqlite3.Error:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up the file."""
        self._db.close()

    def sync(self, folder: Path, limits: Limits) -> Synced:
        """Bring the index up to the files of `folder`; what did not change is not read."""
        seen, left = scan(folder, limits)
        synced = Synced()
        done: set[str] = set()
        while plan := self._plan(seen, done):
            self._write(folder, plan[:_BATCH], limits, synced, left)
            done.update(name for name, _ in plan[:_BATCH])
        synced.left_out = tuple(left)
        return synced

    def totals(self) -> Totals:
        """Return the sizes that ranking needs."""
        return Totals(*self._db.execute("SELECT topics, sections, terms FROM total").fetchone())

    def frequencies(self, terms: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Return for each of `terms` in how many topics it stands, and how often in all."""
        found: dict[str, tuple[int, int]] = {}
        for term in terms:
            row = self._db.execute("SELECT doc, cnt FROM term WHERE term = ?", (term,)).fetchone()
            if row:
                found[term] = row
        return found

    def entries(self, match: str, limit: int) -> list[Entry]:
        """Return up to `limit` topics that fit the FTS5 expression `match`, the best by bm25 first."""
        best = self._db.execute("SELECT rowid FROM topic WHERE topic MATCH ? ORDER BY rank LIMIT ?", (match, limit))
        rowids = [rowid for (rowid,) in best.fetchall()]
        marks = ",".join("?" * len(rowids))
        rows: list[Any] = self._db.execute(f"{_SELECT} WHERE id IN ({marks})", rowids).fetchall()
        found = {row[0]: Entry(row[1], row[2], row[3], _PARTS.decode(row[4]), tuple(row[5:])) for row in rows}
        return [found[rowid] for rowid in rowids if rowid in found]

    def _has_tables(self) -> bool:
        return self._db.execute(
            "SELECT count(*) FROM sqlite_master WHERE name IN ('file', 'total', 'topic', 'term')"
        ).fetchone() == (4,)

    def _make(self, file: Path | None) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        if not self._has_tables():
            for statement in _SCHEMA:
                self._db.execute(statement)
        self._db.execute("COMMIT")
        if file:
            for other in file.parent.glob(f"{file.name.split('.')[0]}.*"):
                if not other.name.startswith(file.name):
                    other.unlink(missing_ok=True)

    def _plan(self, seen: Sequence[Seen], done: set[str]) -> list[tuple[str, Seen | None]]:
        """Return what differs from `seen`: the name and the file to read, None where it is gone."""
        rows = self._db.execute("SELECT name, size, changed, settled FROM file").fetchall()
        known = {name: (size, changed, settled) for name, size, changed, settled in rows}
        plan: list[tuple[str, Seen | None]] = [
            (each.name, each) for each in seen if known.pop(each.name, None) != (each.size, each.changed, 1)
        ]
        plan += [(name, None) for name in known]
        return [each for each in plan if each[0] not in done]

    def _write(
        self, folder: Path, plan: Sequence[tuple[str, Seen | None]], limits: Limits, synced: Synced, left: list[LeftOut]
    ) -> None:
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for name, each in plan:
                content = read(folder / f"{name}.md", limits.file_bytes) if each else None
                if content:
                    self._put(name, content, synced)
                    continue
                if each and (folder / f"{name}.md").exists():
                    left.append(LeftOut(name, "it cannot be read"))
                synced.removed += self._drop(name)
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _put(self, name: str, content: Content, synced: Synced) -> None:
        digest = hashlib.blake2b(content.data, digest_size=16).digest()
        stamp = (content.size, content.changed, content.settled)
        known = self._db.execute("SELECT digest, id FROM file WHERE name = ?", (name,)).fetchone()
        if known and known[0] == digest:
            self._db.execute("UPDATE file SET size = ?, changed = ?, settled = ? WHERE name = ?", (*stamp, name))
            return
        self._drop(name)
        title, length, parts, columns = _analysed(name, content.data)
        row = (name, *stamp, length, len(parts), digest, title, _encode(parts))
        insert = "INSERT INTO file (name, size, changed, settled, length, count, digest, title, parts) VALUES"
        rowid = self._db.execute(f"{insert} (?, ?, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid
        self._db.execute(
            "INSERT INTO topic (rowid, name, front, headings, body) VALUES (?, ?, ?, ?, ?)", (rowid, *columns)
        )
        if known:
            synced.updated += 1
        else:
            synced.added += 1

    def _drop(self, name: str) -> int:
        row = self._db.execute("SELECT id FROM file WHERE name = ?", (name,)).fetchone()
        if row is None:
            return 0
        self._db.execute("DELETE FROM topic WHERE rowid = ?", row)
        self._db.execute("DELETE FROM file WHERE id = ?", row)
        return 1


_PARTS = msgspec.msgpack.Decoder(list[Part])
_encode = msgspec.msgpack.Encoder().encode


def _analysed(name: str, data: bytes) -> tuple[str, int, list[Part], tuple[str, str, str, str]]:
    """Return the title, the number of terms, the sections, and the terms by column of the topic in `data`."""
    topic = topics.parse(name, data.decode("utf-8", "replace"))
    above = topic.front.count("\n") + 1
    headings, bodies, parts = _Column(), _Column(), list[Part]()
    under = -1
    for section in sections(topic.body):
        if section.opens:
            under = headings.add(joined_terms(section.heading))
        terms = joined_terms(section.text)
        start = bodies.add(terms)
        length = terms.count(" ") + bool(terms)
        parts.append(Part(section.heading, above + section.first, above + section.last, start, length, under))
    front = joined_terms(_HOUR.sub("", _KEY.sub("", topic.front)))
    columns = (joined_terms(name), front, headings.text(), bodies.text())
    length = sum(column.count(" ") + bool(column) for column in columns)
    return topic.title, length, parts, columns


class _Column:
    """The terms of a column, put together from pieces."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = 0

    def add(self, terms: str) -> int:
        start = self._size
        self._pieces.append(terms)
        self._size += len(terms) + 1
        return start

    def text(self) -> str:
        return " ".join(self._pieces)
