"""nmem's REST API, the client's side: one method a call that Freehold makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from freehold.archive import failure, schemas
from freehold.archive.request import CREATE_SECONDS, Transport, segment
from freehold.archive.schemas import Ack, ArchivedMemory, Message, Page, ShapeError, Thread, UnitType

T = TypeVar("T")

# What servers take as a page of a search at most; asking for one more than is shown tells whether there are more.
_MOST = 100


class Draft(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What to keep of a memory; what is None stays as it is, and is the server's choice in a new one."""

    title: str | None = None
    content: str | None = None
    unit_type: UnitType | None = None
    importance: float | None = None
    labels: list[str] | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved memory: whether it is new, and what the server did not do as asked."""

    memory: ArchivedMemory
    created: bool
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """Some messages of a thread, and how many it has."""

    thread: Thread
    messages: tuple[Message, ...]
    total: int


class ArchiveClient:
    """Calls the server behind `transport`; `server` is its name in errors, `space` the space that is meant, if any.

    Everything raises what `HttpTransport` does, and `server_error` for an answer that is not the contract's.
    """

    def __init__(self, transport: Transport, *, server: str, space: str = "") -> None:
        self._send = transport
        self.server = server
        self.space = space

    async def health(self) -> dict[str, Any]:
        """Return what the server says about itself; `status` is "ok"."""
        return self._read(schemas.mapping, await self._send("GET", "/health"))

    async def search_memories(self, query: str, *, limit: int) -> Page[ArchivedMemory]:
        """Return the memories that fit `query` best."""
        asked = min(limit + 1, _MOST)
        found = await self._get("/memories/search", q=query, limit=asked)
        items = self._list(schemas.memory, found.get("memories"))
        known = schemas.inner(found, "search_metadata")
        return _found(items, limit, known.get("total_found"), exact=not known.get("total_is_lower_bound"))

    async def search_threads(self, query: str, *, limit: int) -> Page[Thread]:
        """Return the threads that fit `query` best, with the messages that were found."""
        found = await self._get("/threads/search", query=query, limit=min(limit + 1, _MOST), mode="full")
        items = self._list(schemas.thread, found.get("threads"))
        known = schemas.inner(found, "search_metadata")
        return _found(items, limit, found.get("total_found"), exact=not known.get("total_is_lower_bound"))

    async def threads(self, *, limit: int, offset: int = 0, source: str = "") -> Page[Thread]:
        """List threads, the newest first; `source` is the application they come from, such as "pi"."""
        found = await self._get("/threads", limit=limit, offset=offset, source=source)
        items = self._list(schemas.thread, found.get("threads"))
        return self._listed(items, found, offset)

    async def memories(self, *, limit: int, offset: int = 0) -> Page[ArchivedMemory]:
        """List memories, the newest first."""
        found = await self._get("/memories", limit=limit, offset=offset)
        return self._listed(self._list(schemas.memory, found.get("memories")), found, offset)

    async def thread(self, thread_id: str, *, offset: int = 0, limit: int) -> ThreadPage:
        """Return up to `limit` messages of a thread from message `offset` on; raise `not_found`."""
        found = await self._get(f"/threads/{segment(thread_id)}", offset=offset, limit=limit)
        thread = self._read(schemas.thread, self._read(schemas.mapping, found.get("thread")))
        raw = self._read(schemas.objects, found.get("messages") or [])
        messages = tuple(schemas.message(one, offset + at) for at, one in enumerate(raw))
        total = schemas.count(found, "total_messages", thread.messages)
        return ThreadPage(thread, messages, max(total, offset + len(messages) if messages else 0))

    async def memory(self, memory_id: str) -> ArchivedMemory:
        """Return a memory, whole; raise `not_found`."""
        return self._memory(await self._get(f"/memories/{segment(memory_id)}"))

    async def create_memory(self, draft: Draft) -> Saved:
        """Keep a new memory. It is sent once only and waits 30 s: twice would be two memories."""
        sent = self._spaced(msgspec.to_builtins(draft))
        answer = await self._send("POST", "/memories", body=sent, repeatable=False, seconds=CREATE_SECONDS)
        raw = self._read(schemas.mapping, answer)
        warnings = tuple(str(one) for one in schemas.listed(raw, "warnings"))
        return Saved(self._memory(raw.get("memory", raw)), raw.get("action") != "updated", warnings)

    async def update_memory(self, memory_id: str, draft: Draft) -> Saved:
        """Change a memory; raise `not_found`. Some servers leave labels as they were: then a warning says so."""
        path = f"/memories/{segment(memory_id)}"
        answer = await self._send("PATCH", path, params=self._spaced({}), body=msgspec.to_builtins(draft))
        changed = self._memory(answer)
        if draft.labels is None:
            return Saved(changed, created=False)
        if set(changed.labels) != set(draft.labels):
            changed = await self.memory(memory_id)
        kept = set(draft.labels) <= set(changed.labels) and bool(draft.labels or not changed.labels)
        warning = f"The server left the labels as they were: {', '.join(changed.labels) or 'none'}."
        return Saved(changed, created=False, warnings=() if kept else (warning,))

    async def create_thread(self, body: Mapping[str, Any]) -> Ack:
        """Make a thread of `body` (`thread_id`, `messages` and more); raise `bad_request` where it is there already."""
        answer = await self._send("POST", "/threads", body=self._spaced(body))
        raw = self._read(schemas.mapping, answer)
        made = self._read(schemas.mapping, raw.get("thread"))
        if made.get("thread_id", made.get("id")) != body["thread_id"]:
            raise failure.broken(self.server, "made a thread other than the one that was sent")
        sent = len(body["messages"])
        return Ack(sent, schemas.count(made, "message_count", len(schemas.listed(raw, "messages")) or sent))

    async def append(self, thread_id: str, body: Mapping[str, Any]) -> Ack:
        """Add messages to a thread; raise `not_found`, and `checkpoint_conflict` for another count than expected."""
        answer = await self._send("POST", f"/threads/{segment(thread_id)}/append", body=self._spaced(body))
        return self._read(schemas.ack, self._read(schemas.mapping, answer))

    async def context_bundle(self, *, source_app: str) -> str:
        """Return what the server would have an agent know at the start, as Markdown; empty where it has nothing."""
        found = await self._get("/context/bundle", source_app=source_app, include_working_memory=True)
        names = ("rendered_markdown", "markdown", "content")
        return next((str(found[name]) for name in names if found.get(name)), "")

    async def _get(self, path: str, **params: Any) -> dict[str, Any]:
        kept = {name: value for name, value in self._spaced(params).items() if value not in ("", None)}
        return self._read(schemas.mapping, await self._send("GET", path, params=kept))

    def _spaced(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        return {**fields, "space_id": self.space} if self.space else dict(fields)

    def _list(self, reader: Callable[[dict[str, Any]], T], value: Any) -> list[T]:
        return [self._read(reader, one) for one in self._read(schemas.objects, value)]

    def _memory(self, value: Any) -> ArchivedMemory:
        return self._read(schemas.memory, self._read(schemas.mapping, value))

    def _listed(self, items: list[T], found: dict[str, Any], offset: int) -> Page[T]:
        paging = schemas.inner(found, "pagination")
        least = offset + len(items) + bool(paging.get("has_more")) if items else 0
        return schemas.page(items, total=schemas.count(paging, "total", least), before=offset, exact="total" in paging)

    def _read(self, reader: Callable[[Any], T], value: Any) -> T:
        try:
            return reader(value)
        except ShapeError as error:
            raise failure.broken(self.server, f"answered what is not nmem's contract: {error}") from error


def _found(items: list[T], limit: int, told: Any, *, exact: bool) -> Page[T]:
    """Make a page of what a search answered, which was asked for one more than `limit`."""
    total = told if isinstance(told, int) else len(items)
    # A server that counts only what it sends back cannot know of more than the one we asked for beyond the limit.
    sure = exact and not (total == len(items) > limit)
    return schemas.page(items[:limit], total=max(total, len(items)), exact=sure)
