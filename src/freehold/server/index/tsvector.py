"""The index on PostgreSQL: the analyzer's tokens as a tsvector beside each row, under GIN (or RUM where it is)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy import Column, Connection, MetaData, Table, insert, text
from sqlalchemy.dialects.postgresql import TSVECTOR

from freehold.server.index.counts import COUNT_LIMIT, CountCache
from freehold.server.index.expression import Expression
from freehold.server.index.search_index import Document, Matches, Often, Row

# PostgreSQL's own limits: a position is at most 16383, a term has at most 256 of them, a term at most 2 KB.
_LAST_POSITION = 16_383
# So many documents may be fetched by way of the index; where more fit, the newest are walked instead.
_BY_INDEX = 20_000
_SAMPLE = 5_000


class TsvectorIndex:
    """The index of `table`, whose rows are numbered by the column `number`."""

    def __init__(self, table: Table, number: str) -> None:
        self._name = table.name
        self._number = number
        # Only PostgreSQL's table has the column.
        self._table = table.to_metadata(MetaData())
        self._table.append_column(Column("terms", TSVECTOR))
        self._counts = CountCache()

    def insert(self, connection: Connection, rows: Sequence[Row], documents: Sequence[Document]) -> None:
        """Write rows of the table with the terms beside them."""
        whole = [{**row, "terms": vector(each)} for row, each in zip(rows, documents, strict=True)]
        connection.execute(insert(self._table), whole)

    def add(self, connection: Connection, documents: Sequence[Document]) -> None:
        """Write the terms beside rows that stand already."""
        statement = (
            f"UPDATE {self._name} SET terms = given.terms::tsvector "  # noqa: S608
            "FROM unnest(CAST(:numbers AS bigint[]), CAST(:terms AS text[])) AS given(number, terms) "
            f"WHERE space_id = :space AND {self._number} = given.number"
        )
        by_space: defaultdict[str, list[Document]] = defaultdict(list)
        for each in documents:
            by_space[each.space_id].append(each)
        for space_id, some in by_space.items():
            given = {"numbers": [each.number for each in some], "terms": [vector(each) for each in some]}
            connection.execute(text(statement), {"space": space_id, **given})

    def remove(self, connection: Connection, documents: Sequence[Document]) -> None:
        """Do nothing: the terms go with their row."""

    def clear(self, connection: Connection) -> None:
        """Forget what was counted; `add` writes over what is there."""
        del connection
        self._counts = CountCache()

    def differing(self, connection: Connection, documents: Sequence[Document]) -> list[int]:
        """Return the numbers of those that are not indexed with their very terms."""
        statement = (
            "SELECT given.number FROM "  # noqa: S608 - the names are this module's own
            "unnest(CAST(:spaces AS text[]), CAST(:numbers AS bigint[]), CAST(:terms AS text[])) "
            f"AS given(space, number, terms) LEFT JOIN {self._name} AS kept "
            f"ON kept.space_id = given.space AND kept.{self._number} = given.number "
            "WHERE kept.terms IS DISTINCT FROM given.terms::tsvector"
        )
        given = {
            "spaces": [each.space_id for each in documents],
            "numbers": [each.number for each in documents],
            "terms": [vector(each) for each in documents],
        }
        return [int(number) for number in connection.execute(text(statement), given).scalars()]

    def size(self, connection: Connection) -> int:
        """Return how many documents are indexed."""
        statement = f"SELECT count(*) FROM {self._name} WHERE terms IS NOT NULL"  # noqa: S608
        return int(connection.execute(text(statement)).scalar_one())

    def counts(self, connection: Connection, space_id: str, terms: Iterable[str], total: int) -> dict[str, int]:
        """Return in how many documents of the space each term stands; that of a very common one by a sample."""
        found, missing = self._counts.known(space_id, terms, total)
        if missing:
            for term, count in self._counted(connection, space_id, missing).items():
                known = count if count < COUNT_LIMIT else self._sampled(connection, space_id, term, total)
                found[term] = self._counts.keep(space_id, term, total, known)
        return found

    def _counted(self, connection: Connection, space_id: str, terms: Sequence[str]) -> dict[str, int]:
        statement = (
            "SELECT asked.term, (SELECT count(*) FROM "  # noqa: S608 - the names are this module's own
            f"(SELECT 1 FROM {self._name} WHERE space_id = :space AND terms @@ asked.query::tsquery "
            f"LIMIT {COUNT_LIMIT}) AS part) "
            "FROM unnest(CAST(:terms AS text[]), CAST(:queries AS text[])) AS asked(term, query)"
        )
        queries = [Expression(all_of=((term,),)).to_tsquery() for term in terms]
        rows = connection.execute(text(statement), {"space": space_id, "terms": list(terms), "queries": queries})
        return {term: int(count) for term, count in rows}

    def _sampled(self, connection: Connection, space_id: str, term: str, total: int) -> int:
        statement = (
            f"SELECT count(*), count(*) FILTER (WHERE terms @@ CAST(:query AS tsquery)) FROM {self._name} "  # noqa: S608
            "TABLESAMPLE SYSTEM (:percent) WHERE space_id = :space"
        )
        query = Expression(all_of=((term,),)).to_tsquery()
        given = {"query": query, "percent": min(100.0, 100.0 * _SAMPLE / max(total, 1)), "space": space_id}
        seen, having = connection.execute(text(statement), given).one()
        return max(COUNT_LIMIT, round(total * having / seen)) if seen else COUNT_LIMIT

    def often(self, connection: Connection, space_id: str, terms: Iterable[str], numbers: Sequence[int]) -> Often:
        """Return how often each document has each term, as its tsvector tells."""
        statement = (
            f"SELECT kept.{self._number}, word.lexeme, cardinality(word.positions) "  # noqa: S608
            f"FROM {self._name} AS kept, unnest(kept.terms) AS word "
            f"WHERE kept.space_id = :space AND kept.{self._number} = ANY(CAST(:numbers AS bigint[])) "
            "AND word.lexeme = ANY(CAST(:terms AS text[]))"
        )
        counts: dict[int, dict[str, int]] = {number: {} for number in numbers}
        given = {"space": space_id, "numbers": list(numbers), "terms": list(terms)}
        for number, term, count in connection.execute(text(statement), given):
            counts[number][term] = count
        return Often(counts)

    def find(
        self, connection: Connection, space_id: str, expression: Expression, *, limit: int, expected: int, total: int
    ) -> Matches:
        """Return up to `limit` documents, by the index, or among the newest where a large part of all fits."""
        given = {"space": space_id, "query": expression.to_tsquery(), "limit": limit + 1}
        if expected <= _BY_INDEX:
            rows = connection.execute(text(self._by_index()), given).scalars().all()
            return Matches(tuple(map(int, rows[:limit])), cut=len(rows) > limit)
        window = min(50_000, round(3 * limit * total / expected))
        rows = connection.execute(text(self._by_age()), {**given, "window": window}).scalars().all()
        return Matches(tuple(map(int, rows[:limit])), cut=True)

    def _by_index(self) -> str:
        # Without statistics the planner would walk the whole table by number; it may not look inside here.
        return (
            f"WITH found AS MATERIALIZED (SELECT {self._number} AS number FROM {self._name} "  # noqa: S608
            "WHERE space_id = :space AND terms @@ CAST(:query AS tsquery)) "
            "SELECT number FROM found ORDER BY number DESC LIMIT :limit"
        )

    def _by_age(self) -> str:
        return (
            f"SELECT number FROM (SELECT {self._number} AS number, terms FROM {self._name} "  # noqa: S608
            f"WHERE space_id = :space ORDER BY {self._number} DESC LIMIT :window) AS newest "
            "WHERE terms @@ CAST(:query AS tsquery) LIMIT :limit"
        )


def vector(document: Document) -> str:
    """Return the text of a document's tsvector."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for position, term in enumerate(document.terms.split(), start=1):
        if position <= _LAST_POSITION or term not in places:
            places[term].append(min(position, _LAST_POSITION))
    words = [f"{_quoted(term)}:{','.join(map(str, at[:256]))}" for term, at in places.items()]
    return " ".join(words + [_quoted(term) for term in document.filters])


def _quoted(term: str) -> str:
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"
