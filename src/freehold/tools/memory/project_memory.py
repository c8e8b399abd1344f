"""A project's memory as one agent uses it: the context of the memory tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from anyio import Lock, to_thread

from freehold.memory import search as searching
from freehold.memory.kept_indexes import KeptIndexes
from freehold.memory.recall import Recall
from freehold.memory.saving import Note, Saved
from freehold.memory.second_pass import SecondPass, reordered
from freehold.memory.store import Store
from freehold.memory.topic import Topic, render
from freehold.model.completer import Completer

T = TypeVar("T")


class ProjectMemory:
    """The store of the project in `folder`, opened at the first call.

    It remembers which version of each topic the agent has seen, so that saving over what a person changed since is
    refused without the agent having to carry a revision about.
    """

    def __init__(self, opener: Callable[[], Store]) -> None:
        self._opener = opener
        self._store: Store | None = None
        self._indexes = KeptIndexes()
        self._seen: dict[str, str] = {}
        self._turn = Lock()

    async def topics(self) -> list[Topic]:
        """Return every topic."""
        return await self._in_turn(lambda: self._opened().topics())

    async def read(self, name: str) -> tuple[Topic, str]:
        """Return a topic and its file's text; raise `UsageError` (`unknown_topic`)."""
        topic = await self._in_turn(lambda: self._opened().topic(name))
        self._seen[topic.name] = topic.revision
        return topic, render(topic)

    async def search(self, query: str, *, limit: int) -> Recall:
        """Return the sections that fit best."""
        return await self._in_turn(lambda: self._search(query, limit))

    async def reordered(self, found: Recall, query: str, completer: Completer | None) -> SecondPass:
        """Return what was found in the model's order, where there is a model and it answers."""
        return SecondPass(found, used=False) if completer is None else await reordered(found, query, completer)

    async def save(self, note: Note, expected_revision: str | None) -> Saved:
        """Save a note. With `name` it replaces a topic, which the agent must have read as it is.

        `expected_revision` says which version was read, where that was not in this session. Raises what `Store.save`
        does, `UsageError` (`conflict`) first of all.
        """
        return await self._in_turn(lambda: self._save(note, expected_revision))

    def close(self) -> None:
        """Give up what is open; a later call opens it again."""
        self._indexes.close()

    def _search(self, query: str, limit: int) -> Recall:
        return searching.search(self._opened(), query, limit=limit, opened=self._indexes.opened)

    def _save(self, note: Note, given: str | None) -> Saved:
        saved = self._opened().save(
            note.title,
            note.body,
            name=note.name,
            description=note.description,
            source="agent",
            expected_revision=given or self._seen.get((note.name or "").removesuffix(".md")),
        )
        if not saved.duplicate_of:
            self._seen[saved.name] = saved.revision
        return saved

    def _opened(self) -> Store:
        if self._store is None:
            self._store = self._opener()
        return self._store

    async def _in_turn(self, work: Callable[[], T]) -> T:
        """Run in a thread, for files may be slow, and one at a time: a connection to the index is no one's to share."""
        async with self._turn:
            return await to_thread.run_sync(work)
