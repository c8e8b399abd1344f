"""Searching a store: a sub-agent's own topics and its project's as one."""

from __future__ import annotations

from pathlib import Path

from freehold.memory import recall
from freehold.memory.recall import LIMIT, Opened, Recall
from freehold.memory.search_index import SearchIndex
from freehold.memory.store import Store


def search(
    store: Store,
    query: str,
    *,
    limit: int = LIMIT,
    all_terms: bool = False,
    deep: bool = False,
    cache: Path | None = None,
    opened: Opened = SearchIndex,
) -> Recall:
    """Search every folder that `store` reads; a sub-agent's own topic goes before its project's of the same name.

    The arguments and errors are those of `recall.search`.
    """
    found = [
        recall.search(folder, query, limit=limit, all_terms=all_terms, deep=deep, cache=cache, opened=opened)
        for folder in store.folders
    ]
    if len(found) == 1:
        return found[0]
    hits = {hit.name: hit for one in reversed(found) for hit in one.hits}
    return Recall(
        hits=tuple(sorted(hits.values(), key=lambda hit: -hit.score)[:limit]),
        added=sum(one.added for one in found),
        updated=sum(one.updated for one in found),
        removed=sum(one.removed for one in found),
        left_out=tuple(left for one in found for left in one.left_out),
        seconds=sum(one.seconds for one in found),
    )
