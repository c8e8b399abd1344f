"""How well topics and their sections answer a query: Okapi's BM25 over weighted fields, for those that FTS5 found.

FTS5's own `bm25()` gives a term of more than half the topics no weight, which in a small store is most of them; it
chooses the topics, and this ranks them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from freehold.memory.search_index import WEIGHTS, Entry, Totals
from freehold.text.query import Phrase

_K1, _B = 1.2, 0.75
_NAME, _FRONT, _HEADING, _ = WEIGHTS
# What the sections before and after say counts this much for the one between. Measured on single turns of
# conversations: recall at 10 of 63 % without, 72 % with it.
_NEIGHBOUR = 0.3
# A topic's rank is its own score with this much of its best section's; a section's is its own with this much of its
# topic's.
_BESIDE = 0.3
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
        # How often a term stands in all stands for the number of sections that have it, which FTS5 does not know.
        self._terms = [
            (f" {term} ", weight * idf(totals.topics, known[0]), weight * idf(totals.sections, known[1]))
            for term, weight in weights.items()
            if (known := frequencies.get(term))
        ]

    def topics(self, entries: Sequence[Entry]) -> list[Ranked]:
        """Return each of `entries` with its best section, best first."""
        ranked: list[Ranked] = []
        for entry in entries:
            own, scores = self._scored(entry)
            part = max(scores, key=lambda at: (scores[at], -at), default=0 if entry.parts else -1)
            ranked.append(Ranked(entry, part, own + _BESIDE * scores.get(part, 0.0)))
        return sorted(ranked, key=lambda each: (-each.score, each.entry.name))

    def sections(self, entries: Sequence[Entry]) -> list[Ranked]:
        """Return the sections of `entries` that have a term, or a neighbour that has, best first."""
        ranked: list[Ranked] = []
        for entry in entries:
            own, scores = self._scored(entry)
            ranked += [Ranked(entry, part, score + _BESIDE * own) for part, score in scores.items()]
        return sorted(ranked, key=lambda each: (-each.score, each.entry.name, each.part))

    def _scored(self, entry: Entry) -> tuple[float, dict[int, float]]:
        """Return the score of the topic and those of its sections."""
        layout = _Layout(entry, self._section_average)
        norm = _K1 * (1 - _B + _B * entry.length / self._average)
        own = 0.0
        scores: defaultdict[int, float] = defaultdict(float)
        for term, topic_worth, section_worth in self._terms:
            above, headings, body = layout.places(term)
            often = above + _HEADING * len(headings) + len(body)
            if not often:
                continue
            own += topic_worth * often * (_K1 + 1) / (often + norm)
            for at, often in layout.counts(above, headings, body).items():
                scores[at] += section_worth * often * (_K1 + 1) / (often + layout.norm(at))
        for phrase in self._phrases:
            for at in layout.having(phrase) & scores.keys():
                scores[at] *= 1 + _PHRASE_LIFT / len(self._phrases)
        return own, scores


class _Layout:
    """Where the sections of a topic lie among its terms, and how long they are."""

    def __init__(self, entry: Entry, average: float) -> None:
        name, front, headings, body = entry.columns
        self._name, self._front, self._headings, self._body = f" {name} ", f" {front} ", f" {headings} ", f" {body} "
        self._parts = entry.parts
        self._starts = [part.start for part in entry.parts]
        self._average = average
        self._norms: dict[int, float] = {}

    def norm(self, at: int) -> float:
        """Return BM25's norm of a section, by the mean length of it and its neighbours."""
        if at not in self._norms:
            window = self._parts[max(at - 1, 0) : at + 2]
            mean = sum([part.length for part in window]) / len(window)
            self._norms[at] = _K1 * (1 - _B + _B * mean / self._average)
        return self._norms[at]

    def places(self, needle: str) -> tuple[float, list[int], list[int]]:
        """Return what `needle`, a term with its spaces, counts in name and front matter, and where it stands below."""
        above = 0.0
        if needle in self._name:
            above += _NAME * len(_places(self._name, needle))
        if needle in self._front:
            above += _FRONT * len(_places(self._front, needle))
        return above, _places(self._headings, needle), _places(self._body, needle)

    def having(self, phrase: str) -> set[int]:
        """Return the sections whose own text has `phrase`, terms with a space around each."""
        return {bisect_right(self._starts, place) - 1 for place in _places(self._body, phrase)}

    def counts(self, above: float, headings: list[int], body: list[int]) -> Mapping[int, float]:
        """Return how often sections have a term: itself, in heading and name for more, in their neighbours for less."""
        counts: defaultdict[int, float] = defaultdict(float)
        last = len(self._parts) - 1
        for place in body:
            at = bisect_right(self._starts, place) - 1
            counts[at] += 1
            if at:
                counts[at - 1] += _NEIGHBOUR
            if at < last:
                counts[at + 1] += _NEIGHBOUR
        for place in headings:
            under = max(part.under for part in self._parts if part.under <= place)
            for at, part in enumerate(self._parts):
                if part.under == under:
                    counts[at] += _HEADING
        if above:
            for at in range(last + 1):
                counts[at] += above
        return counts


def _places(text: str, needle: str) -> list[int]:
    """Return where `needle` stands in `text`; two may share the space between them."""
    place = text.find(needle)
    if place < 0:
        return []
    found: list[int] = []
    while place >= 0:
        found.append(place)
        place = text.find(needle, place + len(needle) - 1)
    return found


def idf(total: int, having: int) -> float:
    """Return how much a term tells that `having` of `total` have."""
    # A count of all occurrences can exceed the number of sections.
    having = min(having, total)
    return log(1 + (total - having + 0.5) / (having + 0.5))
