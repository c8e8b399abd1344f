"""Topics whose front matter a person or a program broke, and conflicts that nobody has settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from freehold.memory.checks.finding import Finding, command
from freehold.memory.share.merge import MARK
from freehold.memory.topic import Topic, render


def broken(topics: Iterable[Topic]) -> Iterator[Finding]:
    """Yield each topic that can be read as a whole only, or not at all."""
    for topic in topics:
        if topic.broken and not (topic.front or topic.body):
            # A link, a pipe or a closed file opens in no editor; in the trash it can be looked at.
            yield Finding("unreadable", topic.name, topic.broken, command("forget", topic.name))
        elif topic.broken:
            yield Finding("broken_front_matter", topic.name, topic.broken, command("edit", topic.name))


def unsettled(topics: Iterable[Topic]) -> Iterator[Finding]:
    """Yield the first mark of each topic in which two versions stand side by side."""
    for topic in topics:
        text = render(topic)
        if match := MARK.search(text):
            line = text.count("\n", 0, match.start()) + 1
            detail = "Two versions stand in it since a synchronisation; keep what is right, delete the marks."
            yield Finding("unsettled_conflict", topic.name, detail, command("edit", topic.name), line=line)
