"""What of a row is indexed: its words, and the terms it is filtered by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from freehold.server.index.expression import field_term, label_term, source_term, space_term, unit_term
from freehold.server.index.search_index import Document
from freehold.text.analyzer import joined_terms

# Of a longer text, so many characters are searched: PostgreSQL's tsvector holds at most 1 MB, and positions to 16,383.
# It is stored and given back whole.
INDEXED = 100_000
# Words of a title count so many times as much as those of a text.
TITLE_WEIGHT = 3
_TITLE = 80


def of_message(space_id: str, number: int, content: str, source: str) -> Document:
    """Return the document of a message."""
    return Document(space_id, number, joined_terms(content[:INDEXED]), _filters(space_id, source))


def of_thread(space_id: str, number: int, title: str, summary: str, source: str) -> Document:
    """Return the document of a thread's own words."""
    return Document(space_id, number, joined_terms(f"{title}\n{summary}"[:INDEXED]), _filters(space_id, source))


def of_memory(row: Mapping[str, Any], label_ids: Iterable[str]) -> Document:
    """Return the document of a memory. `row`: all its columns."""
    body = joined_terms(row["content"][:INDEXED])
    title = "" if is_derived(row["title"], row["content"]) else joined_terms(row["title"])
    terms = " ".join(filter(None, (*[title] * TITLE_WEIGHT, body)))
    filters = [space_term(row["space_id"]), *map(label_term, sorted(label_ids))]
    if row["unit_type"]:
        filters.append(unit_term(row["unit_type"]))
    details: Mapping[str, Any] = row["metadata"] or {}
    filters += [field_term(key, str(value)) for key, value in details.items() if isinstance(value, str | int | float)]
    return Document(row["space_id"], row["memory_pk"], terms, tuple(filters))


def title_of(content: str) -> str:
    """Return the title of a memory that was given none: its first line."""
    line = next((line for line in content.splitlines() if line.strip()), content).strip().lstrip("#").strip()
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}\u2026"


def is_derived(title: str, content: str) -> bool:
    """Say whether a memory's title says nothing that its content does not begin with."""
    return title == title_of(content)


def length(document: Document) -> int:
    """Return how many terms a document has."""
    return document.terms.count(" ") + bool(document.terms)


def _filters(space_id: str, source: str) -> tuple[str, ...]:
    return (space_term(space_id), source_term(source))
