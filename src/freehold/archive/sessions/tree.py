"""The tree of a session, taken apart into threads that only grow.

What the user asked and nobody answered yet is left out until something is answered: an aborted turn may be asked again,
and a failed attempt is repeated by itself. So a thread never holds a turn twice, and what it holds is never taken back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `role` and `text` are empty where it is no message; `answered`: a model's answer ended here."""

    id: str
    parent: str = ""
    role: str = ""
    text: str = ""
    time: str = ""
    answered: bool = False
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Branch:
    """A way from the root to an answer. `start` is the entry where it left another branch, empty for the first."""

    start: str
    path: tuple[Entry, ...]


def branches(entries: Iterable[Entry]) -> list[Branch]:
    """Return the branches in the order of their first answers.

    Whichever continuation of an entry was answered first belongs to the branch of that entry; every other one begins a
    branch of its own, which repeats the way there. As entries are only ever added, so are branches and their entries.
    """
    known: dict[str, Entry] = {}
    parents: dict[str, str] = {}
    paths: list[list[Entry]] = []
    starts: list[str] = []
    owners: dict[str, int] = {}
    last = ""
    for entry in entries:
        # A parent that is not there was lost with its line: the entry before it is the best that is left.
        parents[entry.id] = entry.parent if entry.parent in known or not entry.parent else last
        known[entry.id] = entry
        last = entry.id
        if not entry.answered or entry.id in owners:
            continue
        chain, origin = _chain(entry.id, known, parents, owners)
        branch = owners.get(origin, -1)
        if branch < 0 or paths[branch][-1].id != origin:
            way = _way_to(origin, paths[branch]) if branch >= 0 else []
            starts.append(chain[0].id if paths else "")
            paths.append(way)
            branch = len(paths) - 1
        paths[branch] += chain
        owners.update((each.id, branch) for each in chain)
    return [Branch(start, tuple(path)) for start, path in zip(starts, paths, strict=True)]


def said(branch: Branch) -> list[Entry]:
    """Return the messages of a branch, without turns that ended unanswered and were then asked again word by word."""
    kept: list[Entry] = []
    waiting: list[Entry] = []
    for entry in branch.path:
        if entry.role == "user" and waiting and waiting[0].text == entry.text:
            waiting = []
        waiting.append(entry)
        if entry.answered:
            kept += waiting
            waiting = []
        elif entry.role == "user" and waiting[0].text != entry.text:
            # Another question: what was asked before it stays, and this one may be asked again.
            kept += waiting[:-1]
            waiting = [entry]
    return [entry for entry in kept if entry.role and entry.text.strip()]


def _chain(
    end: str, known: dict[str, Entry], parents: dict[str, str], owners: dict[str, int]
) -> tuple[list[Entry], str]:
    """Return the entries up to `end` that belong to no branch yet, and the one before them, empty at the root."""
    chain: list[Entry] = []
    at = end
    while at and at not in owners:
        chain.append(known[at])
        at = parents[at]
    return chain[::-1], at


def _way_to(origin: str, path: list[Entry]) -> list[Entry]:
    end = next(place for place, entry in enumerate(path) if entry.id == origin)
    return path[: end + 1]
