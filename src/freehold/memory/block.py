"""What of `MEMORY.md` enters a session: within a budget, the newest kept, what is left out named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from freehold.memory.index import linked
from freehold.memory.topic import Topic

# Warned from here on, so that a person can shorten before anything is left out.
_NEAR = 0.8
_NAMED = 12


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of the index enters a session."""

    lines: int = 200
    bytes: int = 25_000


def block(text: str, budget: Budget, topics: Callable[[], Iterable[Topic]]) -> str:
    """Return `text` within `budget`: the newest topics' lines, and a last line that names what was left out.

    `topics` is asked only where something has to go. The same index and topics give the same bytes.
    """
    if fits(text, budget):
        return text
    lines = re.findall(r"[^\n]*\n|[^\n]+\Z", text)
    names = [linked(line) for line in lines]
    ages = {topic.name: topic.updated or topic.created for topic in topics()}
    # Oldest first. A person's own lines go last, from the top down, as they add new ones below.
    order = sorted(range(len(lines)), key=lambda n: (not names[n], ages.get(names[n], ""), n))
    sizes = [len(line.encode("utf-8", "surrogatepass")) for line in lines]
    left = sum(sizes) + 1
    dropped: list[int] = []
    note, topics_gone = "", 0
    for number in order:
        if dropped and len(lines) - len(dropped) < budget.lines and left + len(note.encode()) <= budget.bytes:
            break
        dropped.append(number)
        left -= sizes[number]
        topics_gone += bool(names[number])
        note = _note(len(dropped), [names[n] for n in dropped[-_NAMED:]], topics_gone)
    gone = set(dropped)
    kept = "".join(line for number, line in enumerate(lines) if number not in gone)
    return (kept if kept.endswith("\n") or not kept else f"{kept}\n") + note


def fits(text: str, budget: Budget) -> bool:
    """Tell whether all of `text` is within `budget`."""
    return _count(text) <= budget.lines and len(text.encode("utf-8", "surrogatepass")) <= budget.bytes


def warning(text: str, budget: Budget) -> str:
    """Return what to tell a person whose index is near its budget or beyond, or an empty text."""
    lines, size = _count(text), len(text.encode("utf-8", "surrogatepass"))
    if lines < budget.lines * _NEAR and size < budget.bytes * _NEAR:
        return ""
    beyond = "" if fits(text, budget) else "; the oldest topics are left out of sessions"
    return (
        f"MEMORY.md has {lines} of {budget.lines} lines and {size:,} of {budget.bytes:,} bytes{beyond}. "
        "Merge or forget topics: freehold memory doctor"
    )


def _count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _note(lines: int, newest: list[str], topics: int) -> str:
    names = [f"{name}.md" for name in reversed(newest) if name]
    rest = topics - len(names)
    named = ", ".join(names) + (f" and {rest} more" if rest > 0 else "")
    what = f"{lines} lines of MEMORY.md are left out here, the oldest"
    return f"> {what}: {named}. Read or search the store for them.\n" if named else f"> {what}.\n"
