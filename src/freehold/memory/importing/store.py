"""Another store, or any folder of Markdown: what `freehold memory export` writes, or a store of another machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from freehold.memory.importing.note import Note
from freehold.memory.store import Store


def notes(folder: Path) -> Iterator[Note]:
    """Yield the topics of the store in `folder`."""
    for topic in Store.open(folder).topics():
        file = folder / f"{topic.name}.md"
        yield Note(topic.title, topic.body, file, topic.name, topic.description, topic.type)
