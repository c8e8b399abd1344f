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
    """Return how alike two texts are, in percent: in order, as words in any order, or as one within the other."""
    one, other = " ".join(one[:_COMPARED].split()), " ".join(other[:_COMPARED].split())
    if not one or not other:
        return 0
    return round(max(fuzz.ratio(one, other), fuzz.token_sort_ratio(one, other), _contained(one, other)))


def _contained(one: str, other: str) -> float:
    """A topic that stands whole inside another is a duplicate however long the other is."""
    shorter, longer = sorted((one, other), key=len)
    return fuzz.partial_ratio(shorter, longer) if len(shorter) >= 4 * _SHORT and len(longer) < 4 * len(shorter) else 0


def _finding(first: Topic, second: Topic, percent: int) -> Finding:
    lines = {line.strip() for line in second.body.splitlines()}
    shared = tuple(
        line.strip() for line in first.body.splitlines() if line.strip() in lines and len(line.strip()) >= _SHORT
    )
    detail = f"It is {percent} % the same as {second.name}. Keep one: put what is missing into it and forget the other."
    return Finding("near_duplicate", first.name, detail, command("forget", second.name), percent=percent, shared=shared)
