"""Topics that say nearly the same: candidates come from the search index, so that not every pair is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rapidfuzz import fuzz

from freehold.memory.checks.finding import Finding, command
from freehold.memory.topic import Topic

ALIKE = 80
"""Percent from which two topics are reported."""

_SHORT = 20
"""Characters below which a line proves nothing."""
_COMPARED = 20_000
"""Characters of a topic that are compared; the time grows with the product of both."""

Nearest = Callable[[Topic], Iterable[str]]
"""Names of the topics that the index finds for the words of a topic."""


def near_duplicates(topics: Sequence[Topic], nearest: Nearest) -> Iterator[Finding]:
    """Yield each pair that is at least `ALIKE` percent the same, with the lines that stand in both."""
    by_name = {topic.name: topic for topic in topics}
    seen: set[tuple[str, str]] = set()
    for topic in topics:
        for name in nearest(topic):
            other = by_name.get(name)
            pair = (min(topic.name, name), max(topic.name, name))
            if other is None or name == topic.name or pair in seen:
                continue
            seen.add(pair)
            first, second = by_name[pair[0]], by_name[pair[1]]
            if (percent := alike(first.body, second.body)) >= ALIKE:
                yield _finding(first, second, percent)


def alike(one: str, other: str) -> int:
    """Return how alike two texts are, in percent: in order, as words in any order, or by lines of one in the other.

    Anything below `ALIKE` is 0, which saves finding out how much below.
    """
    one, other = one[:_COMPARED], other[:_COMPARED]
    flat, flat_other = " ".join(one.split()), " ".join(other.split())
    if not flat or not flat_other:
        return 0
    return round(
        max(
            _contained(one, other),
            fuzz.ratio(flat, flat_other, score_cutoff=ALIKE),
            fuzz.token_sort_ratio(flat, flat_other, score_cutoff=ALIKE),
        )
    )


def _contained(one: str, other: str) -> float:
    """Return how much of the shorter text stands in the other by whole lines: a copy is one, however long the rest."""
    shorter, longer = sorted((_lines(one), _lines(other)), key=lambda lines: sum(map(len, lines)))
    size, there = sum(map(len, shorter)), set(longer)
    share = 100 * sum(len(line) for line in shorter if line in there) / size if size >= 4 * _SHORT else 0
    return share if share >= ALIKE else 0


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.splitlines()) if len(line) >= _SHORT]


def _finding(first: Topic, second: Topic, percent: int) -> Finding:
    theirs = set(_lines(second.body))
    shared = tuple(line for line in _lines(first.body) if line in theirs)
    detail = f"It is {percent} % the same as {second.name}. Keep one: put what is missing into it and forget the other."
    return Finding("near_duplicate", first.name, detail, command("forget", second.name), percent=percent, shared=shared)
