"""How well topics and their sections answer a query: Okapi's BM25 over weighted fields, for those that FTS5 found.

FTS5's own `bm25()` gives a term of more than half the topics no weight, which in a small store is most of them; it
chooses the topics, and this ranks them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from freehold.memory.search_index import WEIGHTS, Entry, Totals
from freehold.text.query import Phrase

_K1, _B = 1.2, 0.75
_HEADING = WEIGHTS[2]
# What the sections before and after say counts this much for the one between; measured: recall at 10 of single turns of
# a conversation 62 % without, 72 % with it.
_NEIGHBOUR = 0.3
# A topic's rank is its own score with this much of its best section's; a section's the other way round.
_BESIDE = 0.4
_PHRASE_LIFT = 0.5


@dataclass(frozen=True, slots=True)
class Ranked:
    """A topic or a section of it with its score; `part` counts sections from 0, -1 where a topic has none."""

    entry: Entry
    part: int
    score: float


class Ranking:
    """Scores topics of one index for one query.

    `weights`: the terms asked for and what each counts, 1 for those of the query. `frequencies`: in how many topics
    each stands, and how often in all.
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        phrases: Sequence[Phrase],
        totals: Totals,
        frequencies: Mapping[str, tuple[int, int]],
    ) -> None:
        self._phrases = [f" {' '.join(phrase)} " for phrase in phrases]
        self._average = totals.terms / max(totals.topics, 1)
        self._section_average = totals.terms / max(totals.sections, 1)
        known = {term: frequencies[term] for term in weights if term in frequencies}
        self._topic = {term: weights[term] * idf(totals.topics, topics) for term, (topics, _) in known.items()}
        self._section = {term: weights[term] * idf(totals.sections, often) for term, (_, often) in known.items()}

    def topics(self, entries: Sequence[Entry]) -> list[Ranked]:
        """Return each of `entries` with its best section, best first."""
        ranked: list[Ranked] = []
        for entry in entries:
            scores = self._sections(entry)
            part = max(scores, key=lambda at: (scores[at], -at), default=-1 if not entry.parts else 0)
            ranked.append(Ranked(entry, part, self._own(entry) + _BESIDE * scores.get(part, 0.0)))
        return sorted(ranked, key=lambda each: (-each.score, each.entry.name))

    def sections(self, entries: Sequence[Entry]) -> list[Ranked]:
        """Return the sections of `entries` that have a term, or a neighbour that has, best first."""
        ranked: list[Ranked] = []
        for entry in entries:
            own = _BESIDE * self._own(entry)
            ranked += [Ranked(entry, part, score + own) for part, score in self._sections(entry).items()]
        return sorted(ranked, key=lambda each: (-each.score, each.entry.name, each.part))

    def _own(self, entry: Entry) -> float:
        norm = _K1 * (1 - _B + _B * entry.length / self._average)
        columns = [f" {column} " for column in entry.columns]
        score = 0.0
        for term, worth in self._topic.items():
            needle = f" {term} "
            often = sum(
                weight * sum(1 for _ in _places(column, needle))
                for weight, column in zip(WEIGHTS, columns, strict=True)
                if term in column
            )
            score += worth * often * (_K1 + 1) / (often + norm)
        return score

    def _sections(self, entry: Entry) -> dict[int, float]:
        layout = _Layout(entry)
        scores: defaultdict[int, float] = defaultdict(float)
        for term, worth in self._section.items():
            for at, often in layout.counts(term).items():
                norm = _K1 * (1 - _B + _B * layout.around(at) / (3 * self._section_average))
                scores[at] += worth * often * (_K1 + 1) / (often + norm)
        for phrase in self._phrases:
            for at in layout.having(phrase):
                scores[at] *= 1 + _PHRASE_LIFT / len(self._phrases)
        return scores


class _Layout:
    """Where the sections of a topic lie among its terms."""

    def __init__(self, entry: Entry) -> None:
        self._parts = entry.parts
        self._body, self._headings = f" {entry.columns[3]} ", f" {entry.columns[2]} "
        self._starts = [part.start for part in entry.parts]

    def having(self, needle: str) -> set[int]:
        """Return the sections whose own text has `needle`, terms with a space around each."""
        return {bisect_right(self._starts, place) - 1 for place in _places(self._body, needle)}

    def around(self, at: int) -> int:
        """Return how many terms the section has with its neighbours."""
        return sum(part.length for part in self._parts[max(at - 1, 0) : at + 2])

    def counts(self, term: str) -> dict[int, float]:
        """Return how often each section has `term`: itself, in its heading for more, in its neighbours for less."""
        if term not in self._body and term not in self._headings:
            return {}
        own: defaultdict[int, float] = defaultdict(float)
        for place in _places(self._body, f" {term} "):
            own[bisect_right(self._starts, place) - 1] += 1
        counts = defaultdict(float, own)
        for at, often in own.items():
            if at:
                counts[at - 1] += _NEIGHBOUR * often
            if at + 1 < len(self._parts):
                counts[at + 1] += _NEIGHBOUR * often
        for place in _places(self._headings, f" {term} "):
            under = max(part.under for part in self._parts if part.under <= place)
            for at, part in enumerate(self._parts):
                if part.under == under:
                    counts[at] += _HEADING
        return counts


def _places(text: str, needle: str) -> Iterator[int]:
    """Yield where `needle` stands in `text`; two may share the space between them."""
    place = text.find(needle)
    while place >= 0:
        yield place
        place = text.find(needle, place + len(needle) - 1)


def idf(total: int, having: int) -> float:
    """Return how much a term tells that `having` of `total` have."""
    # A count of all occurrences can exceed the number of sections.
    having = min(having, total)
    return log(1 + (total - having + 0.5) / (having + 0.5))
