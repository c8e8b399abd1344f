"""Recall: the topics of a store that answer a query, best first, each with the section and the lines that do."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from freehold import paths
from freehold.errors import UnavailableError, UsageError
from freehold.memory.feedback import expanded
from freehold.memory.ranking import Ranked, Ranking, idf
from freehold.memory.scan import LeftOut, Limits
from freehold.memory.search_index import VERSION, WAIT, SearchIndex, Synced
from freehold.text.query import Query, parse
from freehold.text.snippet import Line, matching_lines

LIMIT = 10
LIMITS = Limits()
_Answer = TypeVar("_Answer")


class Opened(Protocol):
    """Opens an index for the time of a search."""

    def __call__(self, file: Path, *, wait: float) -> AbstractContextManager[SearchIndex]:
        """Open the index in `file`."""
        ...


# FTS5 chooses so many topics for each hit asked for; the ranking chooses among them, or among their sections.
_TOPICS_A_HIT, _TOPICS_A_SECTION = 2, 5
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNWRITABLE = frozenset({
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hit:
    """A topic that answers.

    `name`: its file without `.md`. `section`: the heading that its best section stands under, empty before the first.
    `lines`: those of the section that have the query's words, as they stand in the file. `first` and `last`: the
    section's lines, from 1.
    """

    name: str
    title: str
    section: str
    score: float
    lines: tuple[Line, ...]
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Recall:
    """What a search found, and what its sync did before, in topics.

    `left_out`: what is not searched, and why. `seconds`: all of it; `query_seconds`: the query on the open index alone.
    """

    hits: tuple[Hit, ...]
    added: int
    updated: int
    removed: int
    left_out: tuple[LeftOut, ...]
    seconds: float
    query_seconds: float = 0.0


def search(
    store_path: Path,
    query: str,
    *,
    limit: int = LIMIT,
    all_terms: bool = False,
    deep: bool = False,
    by_section: bool = False,
    limits: Limits = LIMITS,
    cache: Path | None = None,
    wait: float = WAIT,
    opened: Opened = SearchIndex,
) -> Recall:
    """Search the topics of `store_path`, after bringing its index up to date.

    Any word may match; `"quoted phrases"` and `+words` must, `-words` must not. `all_terms`: every word must. `deep`:
    search again for what the best topics say, which finds more and puts the best one first less often. `by_section`: a
    topic is a hit for each of its sections. `limits`: how much of the store is
    searched. `cache`: the folder of the indexes. `wait`: seconds for which another process may keep the index
    locked. `opened`: opens the
    index, such as `KeptIndexes.opened`. Raises `UsageError`
    (`invalid_argument`) for a query without a word to find, `UnavailableError` (`timeout`) where another process keeps
    the index locked.
    """
    began = time.perf_counter()
    asked = parse(query, all_terms=all_terms)
    if not asked.terms:
        raise UsageError("invalid_argument", _without_words(asked), {"query": query[:200]})
    searched = _Search(store_path, asked, limit, limits, deep=deep, by_section=by_section)
    ranked, synced = _on_sound_index(index_file(store_path, cache), partial(opened, wait=wait), searched.run)
    hits = tuple(searched.hit(each) for each in ranked)
    seconds = time.perf_counter() - began
    return Recall(hits, synced.added, synced.updated, synced.removed, synced.left_out, seconds, searched.seconds)


def index_file(store_path: Path, cache: Path | None = None) -> Path:
    """Return where the index of the store lies; it may not exist."""
    key = hashlib.sha256(os.fsencode(store_path.resolve())).hexdigest()[:24]
    return (cache or paths.cache()) / "memory" / f"{key}.{VERSION}.sqlite"


class _Search:
    def __init__(self, store: Path, asked: Query, limit: int, limits: Limits, *, deep: bool, by_section: bool) -> None:
        self._store = store
        self._asked = asked
        self._limit = limit
        self._limits = limits
        self._deep = deep
        self._by_section = by_section
        self.seconds = 0.0

    def run(self, index: SearchIndex) -> tuple[list[Ranked], Synced]:
        """Bring `index` up to date and return the best of it."""
        synced = index.sync(self._store, self._limits)
        began = time.perf_counter()
        weights = dict.fromkeys(self._asked.terms, 1.0)
        ranked = self._ranked(index, weights)
        if self._deep:
            weights = expanded(self._asked.terms, ranked, _worth(index))
            ranked = self._ranked(index, weights)
        self.seconds = time.perf_counter() - began
        return ranked[: self._limit], synced

    def hit(self, ranked: Ranked) -> Hit:
        """Return `ranked` with the lines of its section that have the query's words."""
        entry = ranked.entry
        if ranked.part < 0:
            return Hit(entry.name, entry.title, "", round(ranked.score, 3), ())
        part = entry.parts[ranked.part]
        lines = self._lines(entry.name)
        weights = dict.fromkeys(self._asked.terms, 1.0)
        matching = matching_lines(lines[part.first - 1 : part.last], weights, first=part.first)
        # Where the section says nothing, the front matter may, or a heading above.
        matching = matching or matching_lines(lines, weights)
        return Hit(entry.name, entry.title, part.heading, round(ranked.score, 3), matching, part.first, part.last)

    def _ranked(self, index: SearchIndex, weights: Mapping[str, float]) -> list[Ranked]:
        match = replace(self._asked, terms=tuple(weights)).to_fts5()
        chosen = max(self._limit, LIMIT) * (_TOPICS_A_SECTION if self._by_section else _TOPICS_A_HIT)
        entries = index.entries(match, chosen)
        ranking = Ranking(weights, self._asked.phrases, index.totals(), index.frequencies(weights))
        return ranking.sections(entries) if self._by_section else ranking.topics(entries)

    def _lines(self, name: str) -> list[str]:
        try:
            with (self._store / f"{name}.md").open("rb") as file:
                return file.read(self._limits.file_bytes).decode("utf-8", "replace").split("\n")
        except OSError:
            # Gone since the sync: the next search will not find it, this one has no lines of it.
            return []


def _worth(index: SearchIndex) -> Callable[[str], float]:
    topics = index.totals().topics
    return lambda term: idf(topics, index.frequencies([term]).get(term, (0, 0))[0])


def _on_sound_index(
    file: Path, opened: Callable[[Path], AbstractContextManager[SearchIndex]], work: Callable[[SearchIndex], _Answer]
) -> _Answer:
    """Run `work` on the index in `file`; on a new one where that is corrupt, in memory where it cannot be written."""
    for _ in range(2):
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with opened(file) as index:
                return work(index)
        except (sqlite3.DatabaseError, msgspec.MsgspecError) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in _BUSY:
                message = f"Another process keeps the search index {file} locked. Search again."
                raise UnavailableError("timeout", message) from error
            if code in _UNWRITABLE:
                break
            # Whatever else SQLite complains of, the index is not what this version wrote.
            _remove(file)
        except OSError:
            break
    with SearchIndex(None) as index:
        return work(index)


def _remove(file: Path) -> None:
    for name in (file.name, f"{file.name}-journal"):
        file.with_name(name).unlink(missing_ok=True)


def _without_words(asked: Query) -> str:
    if asked.excluded:
        return "The query only says what not to find. Add what to find, such as: deploy -staging"
    return "The query has no letter or digit to search for. Valid: words of any language, such as: deploy staging"
