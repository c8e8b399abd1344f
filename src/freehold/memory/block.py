"""What of `MEMORY.md` enters a session: within a budget, the newest kept, what is left out named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
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
    order = _order(names, ages, budget.lines // 2)
    sizes = [len(line.encode("utf-8", "surrogatepass")) for line in lines]
    left = sum(sizes) + 1
    dropped: list[int] = []
    out: list[str] = []
    note = ""
    for number in order:
        if dropped and len(lines) - len(dropped) < budget.lines and left + len(note.encode()) <= budget.bytes:
            break
        dropped.append(number)
        left -= sizes[number]
        out += [names[number]] if names[number] else []
        note = _note(len(dropped), out[-_NAMED:], len(out))
    gone = set(dropped)
    kept = "".join(line for number, line in enumerate(lines) if number not in gone)
    return (kept if kept.endswith("\n") or not kept else f"{kept}\n") + note


def _order(names: list[str], ages: Mapping[str, str], lasting: int) -> list[int]:
    """Return the numbers of the lines in the order in which they go.

    First the topics, the oldest first, except the `lasting` newest; then a person's own lines from the top down, as new
    ones are added below; then the rest of the topics.
    """
    linked_lines = sorted((n for n, name in enumerate(names) if name), key=lambda n: (ages.get(names[n], ""), n))
    own = [n for n, name in enumerate(names) if not name]
    first = linked_lines[: max(0, len(linked_lines) - lasting)]
    return [*first, *own, *linked_lines[len(first) :]]


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
    what = f"{lines} lines of MEMORY.md are left out here, the oldest"
    if not newest:
        return f"> {what}.\n"
    named = ", ".join(f"{name}.md" for name in reversed(newest))
    rest = topics - len(newest)
    return f"> {what}: {named}{f' and {rest} more' if rest > 0 else ''}. Read or search the store for them.\n"
