"""nmem's things as we use them, under nmem's names; what else a server sends is left aside.

Servers differ in what they leave out, so every reader below takes a missing field for its empty value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast

UnitType = Literal["fact", "preference", "decision", "plan", "procedure", "learning", "context", "event"]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ArchivedMemory:
    """A long-term memory. `importance` is 0 to 1, or None where the server did not say; `score` is of a search."""

    id: str
    title: str
    content: str
    labels: tuple[str, ...] = ()
    unit_type: str = ""
    importance: float | None = None
    created_at: str = ""
    source_thread: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Snippet:
    """A message that a search found: its place in the thread, counted from 0, and the words around the hit."""

    index: int
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation. `date` is when it was archived or last went on, in the server's own words."""

    id: str
    title: str
    source: str = ""
    messages: int = 0
    date: str = ""
    project: str = ""
    snippets: tuple[Snippet, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """A message. `index` is its place in the thread, counted from 0."""

    index: int
    role: str
    content: str
    time: str = ""
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some of what there is. `total` is how many there are, `exact` whether that is all or only what is known of."""

    items: tuple[Item, ...]
    total: int
    has_more: bool
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Ack:
    """What a server says after it took messages: how many it added, how many the thread has now."""

    added: int
    total: int
    checkpointed: bool = False


class ShapeError(ValueError):
    """An answer is not what the contract says."""


def mapping(value: Any) -> dict[str, Any]:
    """Return `value`, which must be an object."""
    if not isinstance(value, dict):
        raise ShapeError(f"an object was expected, and {type(value).__name__} came")
    return cast("dict[str, Any]", value)


def objects(value: Any) -> list[dict[str, Any]]:
    """Return `value`, which must be a list of objects."""
    if not isinstance(value, list):
        raise ShapeError(f"a list was expected, and {type(value).__name__} came")
    return [mapping(one) for one in cast("list[Any]", value)]


def memory(raw: dict[str, Any]) -> ArchivedMemory:
    """Read a memory; a search keeps some of its fields in `metadata`."""
    more = inner(raw, "metadata")
    return ArchivedMemory(
        id=_text(raw, "id"),
        title=_text(raw, "title"),
        content=_text(raw, "content"),
        labels=labels(raw),
        unit_type=_text(raw, "unit_type"),
        importance=_number(raw, "importance", _number(more, "importance")),
        created_at=_text(raw, "created_at", "time"),
        source_thread=_source_thread(raw),
        score=_number(raw, "relevance_score", _number(more, "similarity_score")),
    )


def labels(raw: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of a memory's labels; servers send names, or objects with a name."""
    return tuple(_text(inner({"label": one}, "label"), "name") or str(one) for one in listed(raw, "labels"))


def thread(raw: dict[str, Any]) -> Thread:
    """Read a thread from a list, a search or by itself: in a list `id` is the thread's, elsewhere `thread_id` is."""
    messages: Any = raw.get("message_count", raw.get("messages"))
    return Thread(
        id=_text(raw, "thread_id", "id"),
        title=_text(raw, "title"),
        source=_text(raw, "source"),
        messages=messages if isinstance(messages, int) else 0,
        date=_text(raw, "last_activity", "date", "import_date", "created_at"),
        project=_text(raw, "project"),
        snippets=tuple(map(_snippet, objects(raw.get("matched_messages") or []))),
    )


def message(raw: dict[str, Any], index: int) -> Message:
    """Read the message at `index` of a thread."""
    return Message(
        index=_whole(raw, "order_index", index),
        role=_text(raw, "role"),
        content=_text(raw, "content"),
        time=_text(raw, "timestamp"),
        metadata=inner(raw, "metadata"),
    )


def listed(raw: dict[str, Any], name: str) -> list[Any]:
    """Return the list `name`, empty where there is none."""
    value: Any = raw.get(name)
    return cast("list[Any]", value) if isinstance(value, list) else []


def inner(raw: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the object `name`, empty where there is none."""
    value: Any = raw.get(name)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def count(raw: dict[str, Any], name: str, otherwise: int) -> int:
    """Return the whole number `name`, or `otherwise` where there is none."""
    return _whole(raw, name, otherwise)


def ack(raw: dict[str, Any]) -> Ack:
    """Read the answer to an append; without its two numbers it acknowledges nothing."""
    if raw.get("success") is not True or not isinstance(raw.get("total_messages"), int):
        raise ShapeError("the messages were not acknowledged")
    mode = raw.get("append_mode") == "checkpointed"
    return Ack(_whole(raw, "messages_added", 0), _whole(raw, "total_messages", 0), checkpointed=mode)


def page(items: Sequence[Item], *, total: int, before: int = 0, exact: bool = True) -> Page[Item]:
    """Make a page of `items` that stand behind `before` others; a total that cannot be is raised to what was seen."""
    if not items:
        # Behind the end, or an empty list: there is nothing to go on to, whatever the total says.
        return Page((), total, has_more=False, exact=exact)
    seen = before + len(items)
    known = max(total, seen)
    return Page(tuple(items), known, has_more=known > seen, exact=exact)


def _snippet(raw: dict[str, Any]) -> Snippet:
    return Snippet(_whole(raw, "message_index", 0), _text(raw, "role"), _text(raw, "snippet", "content"))


def _source_thread(raw: dict[str, Any]) -> str:
    found: Any = raw.get("source_thread") or raw.get("source_thread_id") or ""
    return _text(cast("dict[str, Any]", found), "thread_id", "id") if isinstance(found, dict) else str(found)


def _text(raw: dict[str, Any], *names: str) -> str:
    """Return the first of the fields `names` that says something."""
    given = (raw.get(name) for name in names)
    return next((str(value) for value in given if isinstance(value, (str, int, float)) and value != ""), "")


def _number(raw: dict[str, Any], name: str, otherwise: float | None = None) -> float | None:
    value: Any = raw.get(name)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else otherwise


def _whole(raw: dict[str, Any], name: str, otherwise: int) -> int:
    value: Any = raw.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise
