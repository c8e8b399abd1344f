"""What documents are looked for, in terms of the analyzer, and how each database writes it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from freehold.text.query import Phrase

# What a document is filtered by stands in the index as terms that no text can yield: they begin with a character of the
# private use area, which the analyzer takes for no letter. So a filter costs what a word costs.
_SPACE, _SOURCE, _FIELD, _LABEL, _UNIT = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"


def space_term(space_id: str) -> str:
    """Return the term of every document of a space."""
    return _SPACE + _digest(space_id)


def source_term(source: str) -> str:
    """Return the term of every document of a source, whatever its case."""
    return _SOURCE + _digest(source.strip().casefold())


def field_term(key: str, value: str) -> str:
    """Return the term of every document whose metadata have `value` at `key`."""
    return _FIELD + _digest(f"{key}={value}")


def label_term(label_id: str) -> str:
    """Return the term of every memory with a label."""
    return _LABEL + _digest(label_id)


def unit_term(unit_type: str) -> str:
    """Return the term of every memory of a type."""
    return _UNIT + _digest(unit_type.strip().casefold())


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True)
class Expression:
    """Documents that have one of `any_of`, each of `all_of`, none of `none_of` and each term of `filters`."""

    any_of: tuple[Phrase, ...] = ()
    all_of: tuple[Phrase, ...] = ()
    none_of: tuple[Phrase, ...] = ()
    filters: tuple[str, ...] = ()

    def to_fts5(self) -> str:
        """Return it as SQLite's FTS5 reads it in MATCH."""
        parts = [_fts5_phrase((term,)) for term in self.filters]
        parts += map(_fts5_phrase, self.all_of)
        if self.any_of:
            parts.append(f"({' OR '.join(map(_fts5_phrase, self.any_of))})")
        wanted = " AND ".join(parts)
        if not self.none_of:
            return wanted
        return f"({wanted}) NOT ({' OR '.join(map(_fts5_phrase, self.none_of))})"

    def to_tsquery(self) -> str:
        """Return it as PostgreSQL reads a tsquery."""
        parts = [_lexeme(term) for term in self.filters]
        parts += map(_tsquery_phrase, self.all_of)
        if self.any_of:
            parts.append(f"({' | '.join(map(_tsquery_phrase, self.any_of))})")
        parts += [f"!{_tsquery_phrase(phrase)}" for phrase in self.none_of]
        return " & ".join(parts)


def _fts5_phrase(phrase: Iterable[str]) -> str:
    return f'"{" ".join(phrase)}"'


def _tsquery_phrase(phrase: Iterable[str]) -> str:
    return f"({' <-> '.join(map(_lexeme, phrase))})"


def _lexeme(term: str) -> str:
    # The analyzer yields letters, digits and signs only; a quote would be its fault, and must still not end a word.
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"
