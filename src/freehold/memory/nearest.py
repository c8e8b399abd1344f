"""The topics that the search index holds for nearest to a topic: candidates for being the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from freehold.memory import recall
from freehold.memory.topic import Topic
from freehold.text.analyzer import tokens

_WORDS = 24
_NEAREST = 6


@contextmanager
def opened(store: Path) -> Generator[Callable[[Topic], Iterable[str]]]:
    """Give the search for the neighbours of a topic of `store`."""

    def find(topic: Topic) -> list[str]:
        words = [word for word, _ in Counter(tokens(f"{topic.title} {topic.body}")).most_common(_WORDS)]
        return [hit.name for hit in recall.search(store, " ".join(words), limit=_NEAREST).hits]

    yield find
