"""The topics nearest to a topic, by the rare words they share: candidates for being the same, from the search index."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from freehold.memory import recall
from freehold.memory.scan import Limits
from freehold.memory.search_index import SearchIndex
from freehold.memory.topic import Topic
from freehold.text.analyzer import terms
from freehold.text.query import Query

_TERMS = 12
"""Words that are asked for; a near-duplicate shares most of its rare ones."""
_NEAREST = 6
_OVERLAP = 0.55
"""Share of the smaller one's words that both have; below it, the slow comparison letter by letter is not worth it."""

Find = Callable[[Topic], Sequence[str]]


@contextmanager
def opened(store: Path, topics: Sequence[Topic], cache: Path | None = None) -> Generator[Find]:
    """Give the search for the neighbours of each of `topics`, which are those of the folder `store`.

    `cache`: the folder of the search indexes. One that cannot be used is made anew in memory.
    """
    words = {topic.name: set(terms(topic.body)) for topic in topics}
    known = Counter(word for found in words.values() for word in found)
    with _index(store, cache) as index:

        def find(topic: Topic) -> list[str]:
            shared = sorted(
                (word for word in words[topic.name] if known[word] > 1), key=lambda word: (known[word], word)
            )
            if not shared:
                return []
            asked = Query(tuple(shared[:_TERMS])).to_fts5()
            found = [entry.name for entry in index.entries(asked, _NEAREST) if entry.name != topic.name]
            return [name for name in found if _overlap(words[topic.name], words.get(name, set())) >= _OVERLAP]

        yield find


def _overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))


@contextmanager
def _index(store: Path, cache: Path | None) -> Generator[SearchIndex]:
    with _open(recall.index_file(store, cache), store) as index:
        yield index


def _open(file: Path, store: Path) -> SearchIndex:
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _synced(SearchIndex(file), store)
    except (OSError, sqlite3.Error):
        # In use, out of reach or corrupt: a search mends that; what is looked at here is the topics.
        return _synced(SearchIndex(None), store)


def _synced(index: SearchIndex, store: Path) -> SearchIndex:
    try:
        index.sync(store, Limits())
    except BaseException:
        index.__exit__()
        raise
    return index
