"""The lines of a text that say why it was found, and the part of a long line that does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from freehold.text.analyzer import chunks
from freehold.text.wanted import Places, Wanted

_ELLIPSIS = "\u2026"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file, counted from 1; `text` is cut where it is long."""

    number: int
    text: str


def matching_lines(
    lines: Sequence[str], weights: Mapping[str, float], *, first: int = 1, limit: int = 3, width: int = 240
) -> tuple[Line, ...]:
    """Return up to `limit` of `lines` in their order: those whose distinct terms weigh most, none without any.

    `first`: the number of the first line. `width`: characters a line may have, with the ellipses where it was cut.
    """
    wanted = Wanted(weights)
    words = wanted.words("\n".join(lines))
    weighed = [(_weight(line, words, weights), at) for at, line in enumerate(lines)] if words else []
    best = sorted(weighed, key=lambda each: (-each[0], each[1]))[:limit]
    chosen = sorted(at for weight, at in best if weight > 0)
    return tuple(Line(first + at, _excerpt(lines[at], wanted.within(words), weights, width)) for at in chosen)


def excerpt(line: str, weights: Mapping[str, float], width: int) -> str:
    """Return `line`, or the `width` characters of it where most of `weights` stands together."""
    return _excerpt(line, Wanted(weights).places, weights, width)


def _excerpt(line: str, places: Places, weights: Mapping[str, float], width: int) -> str:
    line = " ".join(line.split())
    if len(line) <= width:
        return line
    room = width - 2
    found = [(start, _sum(has, weights)) for start, has in places(line)]
    starts = [max(0, start - room // 4) for start, _ in found] or [0]
    start = max(starts, key=lambda at: sum(weight for where, weight in found if at <= where < at + room * 9 // 10))
    start = min(start, len(line) - room)
    head = _ELLIPSIS if start else ""
    tail = _ELLIPSIS if start + room < len(line) else ""
    return f"{head}{line[start : start + room].strip()}{tail}"


def _weight(line: str, words: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> float:
    if line.isascii() and not any(word in line for word in words):
        return 0.0
    return _sum((term for chunk in words.keys() & set(chunks(line)) for term in words[chunk]), weights)


def _sum(has: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum([weights[term] for term in weights.keys() & set(has)])
