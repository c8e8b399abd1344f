"""The index on SQLite: a contentless FTS5 table of the analyzer's tokens, whose row id is the document's number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, Table, insert

from freehold.server.index.counts import COUNT_LIMIT, CountCache
from freehold.server.index.expression import Expression, space_term
from freehold.server.index.search_index import Document, Matches, Often, Row

# A term that stands more often is not counted by walking all its places, about 0.5 us each.
_INSTANCES = 20_000


class Fts5Index:
    """The index of `table`, such as that of messages."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._name = f"{table.name}_fts"
        self._vocabulary = f"{table.name}_vocabulary"
        self._instances = f"{table.name}_instances"
        self._counts = CountCache()

    def insert(self, connection: Connection, rows: Sequence[Row], documents: Sequence[Document]) -> None:
        """Write rows of the table and index their documents."""
        connection.execute(insert(self._table), rows)
        self.add(connection, documents)

    def add(self, connection: Connection, documents: Sequence[Document]) -> None:
        """Index documents whose rows stand already."""
        rows = [(each.number, _content(each)) for each in documents]
        if rows:
            connection.exec_driver_sql(f"INSERT INTO {self._name}(rowid, terms) VALUES (?, ?)", rows)  # noqa: S608

    def remove(self, connection: Connection, documents: Sequence[Document]) -> None:
        """Take documents out; a contentless table must be told what they were added with."""
        rows = [(each.number, _content(each)) for each in documents]
        if rows:
            statement = f"INSERT INTO {self._name}({self._name}, rowid, terms) VALUES ('delete', ?, ?)"  # noqa: S608
            connection.exec_driver_sql(statement, rows)

    def clear(self, connection: Connection) -> None:
        """Take everything out."""
        connection.exec_driver_sql(f"INSERT INTO {self._name}({self._name}) VALUES ('delete-all')")  # noqa: S608
        self._counts = CountCache()

    def differing(self, connection: Connection, documents: Sequence[Document]) -> list[int]:
        """Return the numbers of those that are not indexed with as many terms as they have.

        A contentless table cannot say with which; how many is what its own table of sizes tells.
        """
        statement = f"SELECT sz FROM {self._name}_docsize WHERE id = ?"  # noqa: S608
        found: list[int] = []
        for each in documents:
            size: bytes | None = connection.exec_driver_sql(statement, (each.number,)).scalar()
            if size is None or _varint(size) != _content(each).count(" ") + 1:
                found.append(each.number)
        return found

    def size(self, connection: Connection) -> int:
        """Return how many documents are indexed."""
        return int(connection.exec_driver_sql(f"SELECT count(*) FROM {self._name}_docsize").scalar_one())  # noqa: S608

    def counts(self, connection: Connection, space_id: str, terms: Iterable[str], total: int) -> dict[str, int]:
        """Return in how many documents of the space each term stands; that of a very common one by its share in all."""
        found, missing = self._counts.known(space_id, terms, total)
        for term in missing:
            found[term] = self._counts.keep(space_id, term, total, self._counted(connection, space_id, term, total))
        return found

    def _counted(self, connection: Connection, space_id: str, term: str, total: int) -> int:
        match = Expression(all_of=((term,),), filters=(space_term(space_id),)).to_fts5()
        some = f"SELECT 1 FROM {self._name} WHERE {self._name} MATCH ? LIMIT {COUNT_LIMIT}"  # noqa: S608
        count = int(connection.exec_driver_sql(f"SELECT count(*) FROM ({some})", (match,)).scalar_one())  # noqa: S608
        if count < COUNT_LIMIT:
            return count
        of_term, of_all = self._documents(connection, term), self._documents(connection, space_term(space_id))
        return max(count, min(total, round(total * of_term / max(of_all, of_term, 1))))

    def _documents(self, connection: Connection, term: str) -> int:
        statement = f"SELECT doc FROM {self._vocabulary} WHERE term = ?"  # noqa: S608
        return int(connection.exec_driver_sql(statement, (term,)).scalar() or 0)

    def often(self, connection: Connection, space_id: str, terms: Iterable[str], numbers: Sequence[int]) -> Often:
        """Return how often each document has each term, as the table of instances tells; `unknown` where it is long."""
        del space_id
        wanted = set(numbers)
        counts: dict[int, dict[str, int]] = {number: {} for number in numbers}
        unknown: list[str] = []
        statement = f"SELECT doc FROM {self._instances} WHERE term = ? LIMIT {_INSTANCES}"  # noqa: S608
        for term in terms:
            documents = connection.exec_driver_sql(statement, (term,)).scalars().all()
            if len(documents) >= _INSTANCES:
                unknown.append(term)
                continue
            for number, count in Counter(documents).items():
                if number in wanted:
                    counts[number][term] = count
        return Often(counts, tuple(unknown))

    def find(
        self, connection: Connection, space_id: str, expression: Expression, *, limit: int, expected: int, total: int
    ) -> Matches:
        """Return up to `limit` documents. FTS5 walks row ids downwards and stops, however many there are."""
        del space_id, expected, total
        statement = f"SELECT rowid FROM {self._name} WHERE {self._name} MATCH ? ORDER BY rowid DESC LIMIT ?"  # noqa: S608
        rows = connection.exec_driver_sql(statement, (expression.to_fts5(), limit + 1)).scalars().all()
        return Matches(tuple(map(int, rows[:limit])), cut=len(rows) > limit)


def _content(document: Document) -> str:
    return " ".join(filter(None, (document.terms, *document.filters)))


def _varint(size: bytes) -> int:
    """Return the number that SQLite wrote as seven bits a byte, the highest first."""
    value = 0
    for byte in size:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value
