"""What a database's full-text index must do. One index a kind of document, keyed by the number of its row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Connection

from freehold.server.index.expression import Expression

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Document:
    """A text on its way into an index. `terms`: the analyzer's, joined by spaces. `filters`: those of `expression`."""

    space_id: str
    number: int
    terms: str
    filters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Matches:
    """The numbers of documents, newest first. `cut`: there are more, which the index was not asked for."""

    numbers: tuple[int, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class Often:
    """How often documents have terms: number → term → count. `unknown`: terms too common to be counted so."""

    counts: dict[int, dict[str, int]]
    unknown: tuple[str, ...] = ()


class SearchIndex(Protocol):
    """The index of one kind of document."""

    def insert(self, connection: Connection, rows: Sequence[Row], documents: Sequence[Document]) -> None:
        """Write rows of the table and index their documents."""
        ...

    def add(self, connection: Connection, documents: Sequence[Document]) -> None:
        """Index documents whose rows stand already."""
        ...

    def clear(self, connection: Connection) -> None:
        """Take everything out, before all is added anew."""
        ...

    def remove(self, connection: Connection, documents: Sequence[Document]) -> None:
        """Take documents out; `terms` and `filters` are those they were added with."""
        ...

    def differing(self, connection: Connection, documents: Sequence[Document]) -> list[int]:
        """Return the numbers of those of `documents` that are not indexed with their very terms."""
        ...

    def size(self, connection: Connection) -> int:
        """Return how many documents are indexed."""
        ...

    def counts(self, connection: Connection, space_id: str, terms: Iterable[str], total: int) -> dict[str, int]:
        """Return in how many documents of the space each term stands; `total`: how many there are."""
        ...

    def often(self, connection: Connection, space_id: str, terms: Iterable[str], numbers: Sequence[int]) -> Often:
        """Return how often each document of `numbers` has each of `terms`."""
        ...

    def find(
        self, connection: Connection, space_id: str, expression: Expression, *, limit: int, expected: int, total: int
    ) -> Matches:
        """Return up to `limit` documents. `expected`: about how many of the space's `total` will fit."""
        ...
