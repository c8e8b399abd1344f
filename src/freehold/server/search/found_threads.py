"""The threads of the messages that were found, and those whose title has a term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from freehold.server.search import bm25
from freehold.server.search.question import Question
from freehold.server.store.tables import threads
from freehold.text.analyzer import joined_terms

_PER_QUERY = 500


@dataclass(frozen=True, slots=True)
class FoundThread:
    """A thread that may answer. `often`: how often its title and summary have each term."""

    number: int
    row: dict[str, Any]
    length: int
    often: dict[str, int]


def read_threads(
    connection: Connection, space_id: str, numbers: Sequence[int], question: Question
) -> dict[int, FoundThread]:
    """Return threads by their numbers."""
    found: dict[int, FoundThread] = {}
    for start in range(0, len(numbers), _PER_QUERY):
        some = numbers[start : start + _PER_QUERY]
        where = (threads.c.space_id == space_id, threads.c.thread_pk.in_(some))
        for row in connection.execute(select(threads).where(*where)).mappings():
            joined = joined_terms(f"{row['title']}\n{row['summary']}")
            often = bm25.frequencies(joined, question.terms)
            found[row["thread_pk"]] = FoundThread(row["thread_pk"], dict(row), row["term_count"], often)
    return found
