"""Searching memories by what they say, with the filters of both of nmem's searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from freehold.server.index.expression import field_term, label_term, space_term, unit_term
from freehold.server.search import bm25, candidates, question, weighing
from freehold.server.search.candidates import Candidates
from freehold.server.search.question import Question
from freehold.server.store import labels, memory_rows
from freehold.server.store.archive import Archive
from freehold.server.store.tables import memories
from freehold.server.store.totals import of_memories
from freehold.text.analyzer import joined_terms

Row = dict[str, Any]
_PER_QUERY = 500
# Of a long memory, so many characters are read to say why it was found.
_CHARACTERS = 20_000
_RANGES = {"today": 1, "week": 7, "month": 31, "year": 366}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a memory must be. Days are `YYYY[-MM[-DD]]`; `metadata` are pairs `key=value`."""

    label_names: Sequence[str] = ()
    metadata: Sequence[str] = ()
    unit_type: str | None = None
    importance_min: float | None = None
    time_range: str | None = None
    event_from: str | None = None
    event_to: str | None = None
    recorded_from: str | None = None
    recorded_to: str | None = None
    temporal: str | None = None

    def terms(self, space_id: str) -> tuple[str, ...]:
        """Return what the index can tell."""
        found = [
            space_term(space_id),
            *(label_term(labels.label_id(name)) for name in self.label_names if name.strip()),
        ]
        if self.unit_type:
            found.append(unit_term(self.unit_type))
        pairs = [pair.partition("=") for pair in self.metadata]
        return (*found, *(field_term(key.strip(), value.strip()) for key, sign, value in pairs if sign))

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return what only the rows tell."""
        event, recorded = memories.c.event_start, memories.c.created_at
        days = [(event, self.event_from, self.event_to), (recorded, self.recorded_from, self.recorded_to)]
        found: list[ColumnElement[bool]] = []
        for column, first, last in days:
            if first:
                found.append(column >= first)
            if last:
                # A day, month or year ends with the last moment that begins with it.
                found.append(func.substr(column, 1, len(last)) <= last)
        if self.time_range in _RANGES:
            since = datetime.now(UTC) - timedelta(days=_RANGES[self.time_range])
            found.append(recorded >= since.isoformat(timespec="milliseconds").replace("+00:00", "Z"))
        if self.importance_min is not None:
            found.append(memories.c.importance >= self.importance_min)
        if self.temporal:
            found.append(memories.c.temporal_context == self.temporal)
        return found


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """A memory that answers, as it is shown. `score`: 0 to 1; `reason`: which words it has."""

    memory: Row
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """A page of what was found, and how many in all; `cut`: there are more."""

    memories: list[FoundMemory]
    total: int
    cut: bool


def search(
    connection: Connection,
    archive: Archive,
    space_id: str,
    query: str,
    filters: Filters,
    *,
    limit: int,
    offset: int = 0,
) -> Found:
    """Return the memories that answer `query`, best first."""
    asked = question.read(query)
    total, average = of_memories(connection, space_id)
    if not asked.terms or not total:
        return Found([], 0, cut=False)
    gathered = candidates.gather(
        connection,
        archive.memories,
        space_id,
        asked,
        total=total,
        filters=filters.terms(space_id),
        enough=limit + offset,
    )
    numbers = _fitting(connection, space_id, gathered.numbers, filters)
    fitting = set(numbers)
    kept = Candidates(
        tuple(number for number in gathered.strict if number in fitting),
        tuple(number for number in gathered.loose if number in fitting),
        gathered.counts,
        gathered.cut,
    )

    def texts(some: Sequence[int], size: int) -> Mapping[int, str]:
        rows = _rows(connection, space_id, some)
        return {number: f"{row['title']}\n{row['content']}"[:size] for number, row in rows.items()}

    often = weighing.weigh(connection, archive.memories, space_id, asked, kept, total=total, texts=texts)
    weights = bm25.weights(asked.terms, gathered.counts, total)
    strict = set(kept.strict)
    ranked = [
        (bm25.score(often[number], weights, length, average) * (1 + bm25.STRICT_LIFT * (number in strict)), number)
        for number, length in numbers.items()
    ]
    ranked.sort(reverse=True)
    page = _page(connection, space_id, ranked[offset : offset + limit], ranked[0][0] if ranked else 0.0, asked)
    return Found(page, len(ranked), gathered.cut)


def _page(
    connection: Connection, space_id: str, page: list[tuple[float, int]], top: float, asked: Question
) -> list[FoundMemory]:
    rows = _rows(connection, space_id, [number for _, number in page])
    there = [(score, number) for score, number in page if number in rows]
    shown = memory_rows.shown_all(connection, space_id, [rows[number] for _, number in there])
    return [
        FoundMemory(memory, round(score / top, 4) if top > 0 else 0.0, _reason(memory, asked.text))
        for (score, _), memory in zip(there, shown, strict=True)
    ]


def _reason(memory: Row, query: str) -> str:
    """Return which words of the query a memory has, as a sentence for people."""
    said = set(joined_terms(f"{memory['title']}\n{memory['content']}"[:_CHARACTERS]).split())
    words = [word for word in dict.fromkeys(query.split()) if said.intersection(joined_terms(word).split())]
    return f"Has {', '.join(words[:8])}" if words else ""


def _fitting(connection: Connection, space_id: str, numbers: list[int], filters: Filters) -> dict[int, int]:
    """Return those candidates that the filters let through, with their lengths."""
    found: dict[int, int] = {}
    for start in range(0, len(numbers), _PER_QUERY):
        some = memories.c.memory_pk.in_(numbers[start : start + _PER_QUERY])
        columns = (memories.c.memory_pk, memories.c.term_count)
        statement = select(*columns).where(memories.c.space_id == space_id, some, *filters.conditions())
        found.update((number, length) for number, length in connection.execute(statement))
    return found


def _rows(connection: Connection, space_id: str, numbers: Sequence[int]) -> dict[int, Row]:
    where = (memories.c.space_id == space_id, memories.c.memory_pk.in_(numbers))
    rows = connection.execute(select(memories).where(*where)).mappings()
    return {row["memory_pk"]: dict(row) for row in rows}
