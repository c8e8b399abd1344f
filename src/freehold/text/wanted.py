"""The terms that a text is searched for, found in it as it stands without taking each of its words apart."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from functools import cache

from freehold.text import english
from freehold.text.analyzer import ASCII_CHUNK, CHUNK, chunks, joined_terms, stem

Places = Callable[[str], list[tuple[int, list[str]]]]
"""Tells where in a text terms begin, and which."""


class Wanted:
    """Terms to find. Most words of a text have none of them, and stemming each took most of a search's time.

    A plain word has a term only if it begins like it, for the English stemmer changes no beginning, or is one of its
    irregular forms; all else is taken apart.
    """

    def __init__(self, terms: Collection[str]) -> None:
        self._terms = terms
        self._beginnings = tuple(beginning for term in terms for beginning in _beginnings(term))

    def has(self, chunk: str) -> list[str]:
        """Return which of the terms `chunk` has: a name or run as `analyzer.chunks` cuts them, folded or not."""
        plain = chunk.isascii() and chunk.isalpha() and (chunk.islower() or chunk.istitle())
        if plain and not chunk.lower().startswith(self._beginnings):
            return []
        return [term for term in joined_terms(chunk).split() if term in self._terms]

    def words(self, text: str) -> dict[str, list[str]]:
        """Return the names and runs of `text` that have a term, and which."""
        return {chunk: has for chunk in set(chunks(text)) if (has := self.has(chunk))}

    def places(self, text: str) -> list[tuple[int, list[str]]]:
        """Return where in `text` as it stands each name or run begins that has a term, and which."""
        matches = re.finditer(ASCII_CHUNK if text.isascii() else CHUNK, text)
        return [(match.start(), has) for match in matches if (has := self.has(match[0]))]

    def within(self, words: Mapping[str, list[str]]) -> Places:
        """Return `places` for the parts of a text whose `words` are known, which takes a third of the time."""

        def places(text: str) -> list[tuple[int, list[str]]]:
            if not text.isascii():
                return self.places(text)
            return [(match.start(), words[match[0]]) for match in ASCII_CHUNK.finditer(text) if match[0] in words]

        return places


def _beginnings(term: str) -> list[str]:
    # What ends in y has a stem that ends in i: of three letters the last may be another. "dying" becomes "die".
    dying = [f"{term[0]}ying"] if len(term) == 3 and term.endswith("ie") else []
    return [term[: 3 if len(term) > 3 else 2], *dying, *_irregular().get(term, ())]


@cache
def _irregular() -> dict[str, list[str]]:
    forms: defaultdict[str, list[str]] = defaultdict(list)
    for form, base in english.BASES.items():
        forms[stem(base)].append(form)
    return forms
