"""The candidates among messages: where they stand, how long they are, how often they have each term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from freehold.server.search import bm25, weighing
from freehold.server.search.candidates import Candidates
from freehold.server.search.question import Question
from freehold.server.store.archive import Archive
from freehold.server.store.tables import messages

_PER_QUERY = 500


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message that may answer. `often`: how often it has each term; `lift`: what its score is multiplied by."""

    number: int
    thread: int
    order_index: int
    length: int
    often: dict[str, int]
    lift: float


def read(
    connection: Connection, archive: Archive, space_id: str, found: Candidates, question: Question, total: int
) -> list[FoundMessage]:
    """Return the candidates. `total`: how many messages the space has."""

    def texts(numbers: Sequence[int], size: int) -> Mapping[int, str]:
        content = func.substr(messages.c.content, 1, size, type_=messages.c.content.type)
        rows = _rows(connection, space_id, numbers, messages.c.message_pk, content)
        return {number: said for number, said in rows}  # noqa: C416 - pyright knows no dict of rows of any length

    often = weighing.weigh(connection, archive.messages, space_id, question, found, total=total, texts=texts)
    strict = set(found.strict)
    columns = (messages.c.message_pk, messages.c.thread_pk, messages.c.order_index, messages.c.term_count)
    return [
        FoundMessage(number, thread, order_index, length, often[number], 1 + bm25.STRICT_LIFT * (number in strict))
        for number, thread, order_index, length in _rows(connection, space_id, found.numbers, *columns)
    ]


def contents(connection: Connection, space_id: str, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return what messages say, by whom and when."""
    c = messages.c
    columns = (c.message_pk, c.role, c.content, c.timestamp, c.external_id)
    names = ("role", "content", "timestamp", "external_id")
    rows = _rows(connection, space_id, numbers, *columns)
    return {row[0]: dict(zip(names, row[1:], strict=True)) for row in rows}


def _rows(connection: Connection, space_id: str, numbers: Sequence[int], *columns: Any) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for start in range(0, len(numbers), _PER_QUERY):
        some = messages.c.message_pk.in_(numbers[start : start + _PER_QUERY])
        statement = select(*columns).where(messages.c.space_id == space_id, some)
        found += [tuple(row) for row in connection.execute(statement)]
    return found
