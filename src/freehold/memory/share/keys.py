"""Joining two front matters key by key: they differ in `updated` whenever both sides wrote, and that is no conflict."""

from __future__ import annotations

import re

_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_KEY = re.compile(r"^(?P<key>[^\s#:][^:]*):(?=\s|$)", re.MULTILINE)

_LATEST = frozenset({"updated", "verified"})
_EARLIEST = frozenset({"created"})


def merge(base: str, ours: str, theirs: str) -> tuple[str, list[tuple[str, str]]]:
    """Join two front matters; return it and what of theirs had to give way, as `(key, value)`.

    A key that one side changed is taken from that side; of dates the latest (of `created` the earliest) is kept; where
    both changed a key, ours stays and theirs is returned.
    """
    if ours in {theirs, base} or not ours:
        return theirs or ours, []
    if theirs == base or not theirs:
        return ours, []
    before, mine, other = _keys(base), _keys(ours), _keys(theirs)
    lost: list[tuple[str, str]] = []
    kept: dict[str, str] = {}
    for key in [*mine, *(key for key in other if key not in mine)]:
        chosen = _choose(key, before.get(key), mine.get(key), other.get(key))
        if chosen is not None:
            kept[key] = chosen
        if chosen != other.get(key) and other.get(key) not in {None, before.get(key)} and not _is_date(key):
            lost.append((key, _value(other[key])))
    opening, closing = ours.partition("\n")[0] + "\n", _CLOSING.search(ours.partition("\n")[2])
    end = ours.partition("\n")[2][closing.start() :] if closing else "---\n"
    return opening + "".join(kept.values()) + end, lost


def _choose(key: str, base: str | None, ours: str | None, theirs: str | None) -> str | None:
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    if ours is None or theirs is None:
        return ours or theirs
    if _is_date(key):
        pick = max if key in _LATEST else min
        return pick(ours, theirs, key=_value)
    return ours


def _is_date(key: str) -> bool:
    return key in _LATEST or key in _EARLIEST


def _value(lines: str) -> str:
    """Return the value of `key: value`, without quotes."""
    return " ".join(lines.partition(":")[2].split()).strip("'\"")


def _keys(head: str) -> dict[str, str]:
    """Return each top-level key with its lines, continuation and comments included."""
    text = _inside(head)
    starts = list(_KEY.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    found = {start["key"]: text[start.start() : end] for start, end in zip(starts, ends, strict=True)}
    # What stands before the first key, a comment, belongs to nobody and stays in front.
    lead = text[: starts[0].start()] if starts else text
    return {"": lead, **found} if lead else found


def _inside(head: str) -> str:
    lines = head.partition("\n")[2]
    closing = _CLOSING.search(lines)
    return lines[: closing.start()] if closing else lines
