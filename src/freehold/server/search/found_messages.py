"""The candidates among messages, read and counted."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from freehold.server.search import bm25
from freehold.server.search.candidates import Candidates
from freehold.server.search.question import Question
from freehold.server.store.tables import messages
from freehold.text.analyzer import joined_terms

# Characters of one message that ranking reads, and of all messages for one query; what lies beyond was found and is not
# weighed. At about 40 ns a character the whole is about 0.15 s.
_OF_ONE = 20_000
_OF_ALL = 4_000_000
_PER_QUERY = 500


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message that may answer. `often`: how often it has each term; `lift`: what its phrases multiply its score by."""

    number: int
    thread: int
    order_index: int
    role: str
    content: str
    timestamp: str | None
    external_id: str | None
    length: int
    often: dict[str, int]
    lift: float


def read(
    connection: Connection, space_id: str, found: Candidates, question: Question
) -> tuple[list[FoundMessage], bool]:
    """Return the candidates that have a term, and whether some were left unread for their length."""
    numbers = [*found.strict, *found.loose]
    strict = set(found.strict)
    result: list[FoundMessage] = []
    room = _OF_ALL
    for start in range(0, len(numbers), _PER_QUERY):
        for row in _rows(connection, space_id, numbers[start : start + _PER_QUERY]):
            if room <= 0:
                return result, True
            room -= len(row[4])
            joined = joined_terms(row[4])
            often = bm25.frequencies(joined, question.terms)
            if not often and row[0] not in strict:
                continue
            lift = bm25.lift(joined, question.phrases) * (1 + bm25.PHRASE_LIFT * (row[0] in strict))
            result.append(FoundMessage(*row, often, lift))
    return result, False


def _rows(connection: Connection, space_id: str, numbers: list[int]) -> list[tuple[object, ...]]:
    columns = (
        messages.c.message_pk,
        messages.c.thread_pk,
        messages.c.order_index,
        messages.c.role,
        func.substr(messages.c.content, 1, _OF_ONE, type_=messages.c.content.type),
        messages.c.timestamp,
        messages.c.external_id,
        messages.c.term_count,
    )
    where = (messages.c.space_id == space_id, messages.c.message_pk.in_(numbers))
    return [tuple(row) for row in connection.execute(select(*columns).where(*where))]
