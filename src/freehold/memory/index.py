"""`MEMORY.md`: a line for each topic, among whatever else a person writes there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from freehold.memory.topic import Topic

FILE = "MEMORY.md"
TITLE = "# Memory\n\n"

_DESCRIPTION = 200
_LINE = re.compile(r"\s{0,3}[-*+]\s+\[(?:\\.|[^\]\\])*\]\((?:\./)?(?:<([^<>\n]+)\.md>|([^\s()<>]+)\.md)\)")


@dataclass(frozen=True, slots=True)
class Change:
    """What `reindex` does to a line: `add` a missing one, `remove` a dead one or a `duplicate` of another."""

    kind: Literal["add", "remove", "duplicate"]
    name: str
    line: str


def line_of(topic: Topic) -> str:
    """Return the line of `topic`, with its line end."""
    # Brackets end a link's text; code, HTML and automatic links in it win over the link (CommonMark 0.31, 6.3).
    title = re.sub(r"([\\\[\]`<])", r"\\\1", _one_line(topic.title))
    # Behind a bare # a reader of Markdown looks for a heading of another file.
    target = f"{topic.name.replace('%', '%25').replace('#', '%23')}.md"
    target = f"<{target}>" if re.search(r"[\s()]", target) else target
    description = _one_line(topic.description)
    if len(description) > _DESCRIPTION:
        description = f"{description[: _DESCRIPTION - 1].rstrip()}\u2026"
    return f"- [{title}]({target})" + (f" \u2014 {description}\n" if description else "\n")


def linked(line: str) -> str:
    """Return the name of the topic that an index line leads to, or an empty text where `line` is none."""
    found = _LINE.match(line)
    target = unquote(found[1] or found[2]) if found else ""
    return "" if "/" in target else target


def with_topic(text: str, topic: Topic, before: Topic | None = None) -> str:
    """Return `text` with the line of `topic`.

    A line that a person wrote for it is kept; one that was made from `before`, the topic as it was, is made anew.
    """
    lines = _lines(text)
    for number, line in enumerate(lines):
        if linked(line) == topic.name:
            if before is not None and _same(line, line_of(before)):
                lines[number] = line_of(topic)
            return "".join(lines)
    return "".join(_added(lines, [line_of(topic)]))


def with_line(text: str, line: str) -> str:
    """Return `text` with the index line `line`, where no line leads to its topic yet."""
    lines = _lines(text)
    return text if linked(line) in {linked(other) for other in lines} else "".join(_added(lines, [line]))


def without_topic(text: str, name: str) -> tuple[str, str]:
    """Return `text` without the lines that lead to the topic `name`, and the first of these."""
    lines = _lines(text)
    taken = [line for line in lines if linked(line) == name]
    return "".join(line for line in lines if linked(line) != name), taken[0] if taken else ""


def repaired(text: str, topics: Iterable[Topic]) -> tuple[str, list[Change]]:
    """Return `text` with a line for every topic and none for what is gone, and what that took."""
    known = {topic.name: topic for topic in topics}
    changes: list[Change] = []
    kept: list[str] = []
    for line in _lines(text):
        change = _wrong(line, known, kept)
        if change:
            changes.append(change)
        else:
            kept.append(line)
    present = {linked(line) for line in kept}
    missing = [line_of(topic) for name, topic in known.items() if name not in present]
    changes += [Change("add", linked(line), line.rstrip("\n")) for line in missing]
    return "".join(_added(kept, missing) if missing else kept), changes


def _wrong(line: str, known: Collection[str], kept: list[str]) -> Change | None:
    name = linked(line)
    if name and name not in known:
        return Change("remove", name, line.rstrip("\r\n"))
    if name and any(_same(line, other) for other in kept):
        return Change("duplicate", name, line.rstrip("\r\n"))
    return None


def _added(lines: list[str], new: list[str]) -> list[str]:
    """Return `lines` with `new` after the last index line, or at the end."""
    if not any(line.strip() for line in lines):
        return [TITLE, *new]
    last = max((number for number, line in enumerate(lines) if linked(line)), default=-1)
    place = last + 1 if last >= 0 else len(lines)
    before = list(lines[:place])
    if not before[-1].endswith("\n"):
        before[-1] += "\n"
    if last < 0 and before[-1].strip():
        before.append("\n")
    return [*before, *new, *lines[place:]]


def _lines(text: str) -> list[str]:
    # Not str.splitlines: a form feed or a line separator within a person's line ends no line of Markdown.
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _same(one: str, other: str) -> bool:
    return one.rstrip("\r\n") == other.rstrip("\r\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())
