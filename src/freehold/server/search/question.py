"""A query on its way to an index: what all must hold, what any may, what each term counts."""

from __future__ import annotations

from dataclasses import dataclass

from freehold.server.index.expression import Expression
from freehold.text import query as queries
from freehold.text.analyzer import is_unspaced, tokens
from freehold.text.query import Phrase, Query

# A query may ask for so much before it is a text and no query.
MAX_QUERY = 4_000


@dataclass(frozen=True, slots=True)
class Question:
    """`terms`: what documents are ranked by. `words`: each as it stands, a phrase. `must`, `must_not`: as asked for."""

    text: str
    terms: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    must: tuple[Phrase, ...]
    must_not: tuple[Phrase, ...]
    words: tuple[Phrase, ...]

    def strict(self, filters: tuple[str, ...]) -> Expression:
        """Return what documents fit that have every word and run of the query."""
        return Expression(
            all_of=tuple(dict.fromkeys((*self.must, *self.words))), none_of=self.must_not, filters=filters
        )

    def any_term(self, terms: tuple[str, ...], filters: tuple[str, ...]) -> Expression:
        """Return what documents fit that have one of `terms`."""
        any_of = tuple((term,) for term in terms)
        return Expression(any_of=any_of, all_of=self.must, none_of=self.must_not, filters=filters)


def read(text: str) -> Question:
    """Read a query: words, `"phrases"`, `+required`, `-excluded`. One without a word has no terms."""
    text = text[:MAX_QUERY]
    parsed = queries.parse(text)
    must = tuple(dict.fromkeys((*parsed.phrases, *parsed.required)))
    words = tuple(word for word in _words(text, parsed) if word not in must)
    return Question(text, parsed.terms, parsed.phrases, must, parsed.excluded, words)


def _words(text: str, parsed: Query) -> list[Phrase]:
    """Return each word, name and run of the query as the tokens that stand beside each other."""
    found: list[Phrase] = []
    excluded = set(parsed.excluded)
    for piece in text.split():
        for phrase in _runs(tokens(piece.strip('+"\u201c\u201d\u201e'))):
            telling = any(not queries.is_function_word(term) for term in phrase)
            if telling and phrase not in excluded:
                found.append(phrase)
    return list(dict.fromkeys(found))[: queries.MAX_TERMS]


def _runs(sequence: Phrase) -> list[Phrase]:
    """Cut where a script without spaces meets one with: what is glued there are two words."""
    runs: list[list[str]] = []
    before = None
    for token in sequence:
        unspaced = is_unspaced(token)
        if unspaced != before:
            runs.append([])
        runs[-1].append(token)
        before = unspaced
    return [tuple(run) for run in runs]
