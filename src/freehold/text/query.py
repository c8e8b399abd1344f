"""What a person or an agent searches for, read into terms: any word may match unless the query says more."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from freehold.text import chinese, english
from freehold.text.analyzer import terms, tokens

# More terms cost time and tell nothing; a whole page pasted as a query is searched by its first ones.
MAX_TERMS = 100

Phrase = tuple[str, ...]

_PIECE = re.compile(
    r"(?P<sign>(?<!\S)[+-](?![+-]))?(?:[\"\u201c\u201d\u201e](?P<phrase>[^\"\u201c\u201d\u201e]*)[\"\u201c\u201d\u201e]|(?P<word>[^\s\"\u201c\u201d\u201e]+))"
)
_FUNCTION_WORDS = chinese.FUNCTION_WORDS | {term for word in english.FUNCTION_WORDS for term in terms(word)}


@dataclass(frozen=True, slots=True)
class Query:
    """A query in terms of the analyzer.

    `terms`: what any hit has at least one of and is ranked by. `phrases`: quoted, must stand as they are. `required`
    and `excluded`: words and phrases after + and -.
    """

    terms: Phrase
    phrases: tuple[Phrase, ...] = field(default=())
    required: tuple[Phrase, ...] = field(default=())
    excluded: tuple[Phrase, ...] = field(default=())

    def to_fts5(self) -> str:
        """Return the query as a MATCH expression of SQLite's FTS5."""
        any_of = " OR ".join(map(_quoted, [(term,) for term in self.terms]))
        all_of = " AND ".join([f"({any_of})", *map(_quoted, dict.fromkeys((*self.phrases, *self.required)))])
        return f"({all_of}) NOT ({' OR '.join(map(_quoted, self.excluded))})" if self.excluded else all_of


def parse(text: str, *, all_terms: bool = False) -> Query:
    """Read `"quoted phrases"`, `+required`, `-excluded` and plain words from `text`.

    `all_terms`: every word is required. Words such as "the" count only where there is nothing else. A query without a
    word has no terms.
    """
    plain: list[str] = []
    words: list[str] = []
    phrases: list[Phrase] = []
    required: list[Phrase] = []
    excluded: list[Phrase] = []
    for piece in _PIECE.finditer(text):
        said = piece["phrase"] if piece["phrase"] is not None else piece["word"]
        sequence = tokens(said)
        if not sequence:
            continue
        if piece["sign"] == "-":
            excluded.append(sequence)
            continue
        plain += terms(said)
        if piece["sign"] == "+":
            required.append(sequence)
        elif piece["phrase"] is not None:
            phrases.append(sequence)
        else:
            words += sequence
    if all_terms:
        required += [(word,) for word in _telling(words)]
    return Query(tuple(_telling(plain)[:MAX_TERMS]), _distinct(phrases), _distinct(required), _distinct(excluded))


def is_function_word(term: str) -> bool:
    """Say whether `term` asks or joins and says nothing of what is sought, such as "the"."""
    return term in _FUNCTION_WORDS


def _telling(found: Iterable[str]) -> list[str]:
    distinct = list(dict.fromkeys(found))
    return [term for term in distinct if term not in _FUNCTION_WORDS] or distinct


def _distinct(phrases: list[Phrase]) -> tuple[Phrase, ...]:
    return tuple(dict.fromkeys(phrases))[:MAX_TERMS]


def _quoted(phrase: Phrase) -> str:
    return f'"{" ".join(phrase)}"'
