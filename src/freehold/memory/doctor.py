"""What `freehold memory doctor` looks at: everything that makes a memory mislead its reader."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

from freehold.memory import nearest
from freehold.memory.checks import front_matter, links, paths, secrets, similar, stale, stores
from freehold.memory.checks.finding import Finding
from freehold.memory.store import Store


def examine(
    store: Store, *, today: date | None = None, base: Path | None = None, cache: Path | None = None
) -> list[Finding]:
    """Check a store and change nothing; its search index in the cache is brought up to date.

    `today` stands in for the current day, `base` for `paths.agent_folder()`, `cache` for the folder of the indexes.
    """
    return list(_findings(store, today or datetime.now(UTC).date(), base, cache))


def _findings(store: Store, today: date, base: Path | None, cache: Path | None) -> Iterator[Finding]:
    topics = store.topics()
    yield from front_matter.broken(topics)
    yield from front_matter.unsettled(topics)
    yield from secrets.secrets(topics, store.index())
    yield from links.drift(store)
    yield from links.dead(topics, store.path)
    if store.project:
        yield from paths.missing(topics, store.project.folder)
    yield from stale.stale(topics, today)
    with nearest.opened(store.path, topics, cache) as find:
        yield from similar.near_duplicates(topics, find)
    if store.project:
        yield from stores.orphaned(store.project, base)
