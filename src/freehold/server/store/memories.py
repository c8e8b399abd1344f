"""Keeping and changing memories."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection

from freehold.server.faults import memory_not_found, unprocessable
from freehold.server.schemas.memories import MemoryChange, NewMemory
from freehold.server.store import document, labels, memory_rows, spaces
from freehold.server.store.archive import Archive
from freehold.server.store.archive_time import now
from freehold.server.store.numbers import as_uuid

Row = dict[str, Any]
_OWN = ("importance", "confidence", "unit_type", "source", "source_app", "event_start", "event_end", "temporal_context")


def save(connection: Connection, archive: Archive, space_id: str, given: NewMemory) -> Row:
    """Keep a memory, or update the one of its id: what is not given stays, labels are added."""
    if not given.content.strip():
        raise unprocessable("A memory needs content. Send what is to be kept as `content`.")
    spaces.ensure(connection, space_id)
    before = memory_rows.found(connection, space_id, given.id, lock=True) if given.id else None
    ids = labels.ensure(connection, space_id, given.labels or ())
    if before is None:
        row = _row(archive, space_id, given)
        memory_rows.insert(connection, archive, row, ids)
    else:
        have = memory_rows.label_ids(connection, space_id, before["memory_pk"])
        row = memory_rows.change(
            connection, archive, before, _values(given, before), list(dict.fromkeys([*have, *ids]))
        )
    shown = memory_rows.shown_all(connection, space_id, [row])[0]
    return {
        "memory": shown,
        "action": "updated" if before else "created",
        "extracted_entities": [],
        "assigned_labels": shown["labels"],
        "created_relationships": [],
        "warnings": [],
    }


def change(connection: Connection, archive: Archive, space_id: str, memory_id: str, given: MemoryChange) -> Row:
    """Change what is given; labels replace those there are."""
    row = memory_rows.get(connection, space_id, memory_id, lock=True)
    if given.content is not None and not given.content.strip():
        raise unprocessable("A memory needs content. Delete it with DELETE /memories/{id} where it is not wanted.")
    if given.space_id and given.space_id != space_id:
        return _moved(connection, archive, row, given)
    names = ("title", "content", "importance", "confidence", "unit_type")
    values = {name: value for name in names if (value := getattr(given, name)) is not None}
    if given.metadata is not None:
        values["metadata"] = {**(row["metadata"] or {}), **given.metadata}
    _retitle(row, values)
    ids = None if given.labels is None else labels.ensure(connection, space_id, given.labels)
    changed = memory_rows.change(connection, archive, row, values, ids)
    return memory_rows.shown_all(connection, space_id, [changed])[0]


def _moved(connection: Connection, archive: Archive, row: Row, given: MemoryChange) -> Row:
    """Move a memory to another space, then change the rest there."""
    assert given.space_id  # noqa: S101 - the caller looked
    if memory_rows.found(connection, given.space_id, row["memory_id"]):
        raise unprocessable(f"The space {given.space_id} has a memory of that id already.")
    names = [
        label["name"] for label in labels.of_memories(connection, row["space_id"], [row["memory_pk"]])[row["memory_pk"]]
    ]
    memory_rows.remove(connection, archive, row["space_id"], row["memory_id"])
    spaces.ensure(connection, given.space_id)
    ids = labels.ensure(connection, given.space_id, names)
    memory_rows.insert(connection, archive, {**row, "space_id": given.space_id}, ids)
    rest = msgspec.structs.replace(given, space_id=None)
    return change(connection, archive, given.space_id, row["memory_id"], rest)


def read(connection: Connection, space_id: str, memory_id: str) -> Row:
    """Return a memory as it is shown."""
    return memory_rows.shown_all(connection, space_id, [memory_rows.get(connection, space_id, memory_id)])[0]


def relabel(connection: Connection, archive: Archive, space_id: str, memory_id: str, label: str, *, bear: bool) -> Row:
    """Give a memory a label, or take it away; return its labels."""
    row = memory_rows.found(connection, space_id, memory_id, lock=True)
    if row is None:
        raise memory_not_found(memory_id)
    own = labels.check(connection, space_id, label)
    have = memory_rows.label_ids(connection, space_id, row["memory_pk"])
    ids = [each for each in have if each != own] + ([own] if bear else [])
    memory_rows.change(connection, archive, row, {}, ids)
    return {"success": True, "labels": labels.of_memories(connection, space_id, [row["memory_pk"]])[row["memory_pk"]]}


def _row(archive: Archive, space_id: str, given: NewMemory) -> Row:
    number, written = archive.numbers.take()[0], now()
    row: Row = {name: getattr(given, name) for name in _OWN}
    row.update(
        space_id=space_id,
        memory_pk=number,
        memory_id=given.id or as_uuid(number),
        title=given.title or document.title_of(given.content),
        content=given.content,
        importance=0.5 if given.importance is None else given.importance,
        source_thread=given.source_thread_id or None,
        metadata=_details(given),
        created_at=written,
        updated_at=written,
    )
    return row


def _values(given: NewMemory, before: Row) -> Row:
    values = {name: value for name in ("title", *_OWN) if (value := getattr(given, name)) is not None}
    values["content"] = given.content
    if given.source_thread_id:
        values["source_thread"] = given.source_thread_id
    values["metadata"] = {**(before["metadata"] or {}), **_details(given)}
    _retitle(before, values)
    return values


def _retitle(before: Row, values: Row) -> None:
    """Let a title that was taken from the content follow it."""
    if "content" in values and "title" not in values and document.is_derived(before["title"], before["content"]):
        values["title"] = document.title_of(values["content"])


def _details(given: NewMemory) -> Row:
    names = ("import_origin", "source_message_id", "source_message_indices", "source_message_range")
    told = {name: msgspec.to_builtins(value) for name in names if (value := getattr(given, name)) is not None}
    return {**(given.metadata or {}), **told}
