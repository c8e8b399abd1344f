"""Memories as rows, and as nmem's clients read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, delete, func, select, update

from freehold.server.faults import memory_not_found
from freehold.server.store import document, labels
from freehold.server.store.archive import Archive
from freehold.server.store.archive_time import now
from freehold.server.store.tables import memories, memory_labels

Row = dict[str, Any]


def found(connection: Connection, space_id: str, memory_id: str, *, lock: bool = False) -> Row | None:
    """Return a memory's row. `lock`: others that would write wait."""
    statement = select(memories).where(memories.c.space_id == space_id, memories.c.memory_id == memory_id)
    if lock and connection.dialect.name == "postgresql":
        statement = statement.with_for_update()
    row = connection.execute(statement).mappings().first()
    return dict(row) if row else None


def get(connection: Connection, space_id: str, memory_id: str, *, lock: bool = False) -> Row:
    """Return a memory's row; raise `Fault` (`memory_not_found`)."""
    row = found(connection, space_id, memory_id, lock=lock)
    if row is None:
        raise memory_not_found(memory_id)
    return row


def insert(connection: Connection, archive: Archive, row: Row, label_ids: Sequence[str]) -> None:
    """Write a new memory with its labels."""
    one = document.of_memory(row, label_ids)
    row["term_count"] = document.length(one)
    archive.memories.insert(connection, [row], [one])
    labels.assign(connection, row["space_id"], row["memory_pk"], label_ids)


def change(
    connection: Connection, archive: Archive, row: Row, values: Mapping[str, Any], ids: Sequence[str] | None
) -> Row:
    """Change columns of a memory, and its labels where `ids` are given; its index entry goes along."""
    before = label_ids(connection, row["space_id"], row["memory_pk"])
    after = before if ids is None else list(ids)
    changed = {**row, **values, "updated_at": now()}
    one = document.of_memory(changed, after)
    changed["term_count"] = document.length(one)
    archive.memories.remove(connection, [document.of_memory(row, before)])
    same = (memories.c.space_id == row["space_id"], memories.c.memory_pk == row["memory_pk"])
    connection.execute(update(memories).where(*same).values(changed))
    if ids is not None:
        labels.assign(connection, row["space_id"], row["memory_pk"], after)
    archive.memories.add(connection, [one])
    return changed


def remove(connection: Connection, archive: Archive, space_id: str, memory_id: str) -> Row:
    """Delete a memory, its labels and its index entry; return the row it was."""
    row = get(connection, space_id, memory_id, lock=True)
    archive.memories.remove(connection, [document.of_memory(row, label_ids(connection, space_id, row["memory_pk"]))])
    labels.assign(connection, space_id, row["memory_pk"], ())
    same = (memories.c.space_id == space_id, memories.c.memory_pk == row["memory_pk"])
    connection.execute(delete(memories).where(*same))
    return row


def label_ids(connection: Connection, space_id: str, number: int) -> list[str]:
    """Return the ids of a memory's labels."""
    where = (memory_labels.c.space_id == space_id, memory_labels.c.memory_pk == number)
    return list(connection.execute(select(memory_labels.c.label_id).where(*where)).scalars())


def listed(
    connection: Connection,
    space_id: str,
    *,
    ids: Iterable[str] = (),
    unit_type: str | None = None,
    importance_min: float | None = None,
    limit: int,
    offset: int,
) -> tuple[list[Row], int]:
    """Return a page of memories as shown, the newest first, and how many fit. `ids`: of labels, all of them."""
    where = [memories.c.space_id == space_id]
    if unit_type:
        where.append(memories.c.unit_type == unit_type)
    if importance_min is not None:
        where.append(memories.c.importance >= importance_min)
    for own in ids:
        bears = and_(
            memory_labels.c.space_id == space_id,
            memory_labels.c.memory_pk == memories.c.memory_pk,
            memory_labels.c.label_id == own,
        )
        where.append(select(memory_labels.c.label_id).where(bears).exists())
    order = (memories.c.created_at.desc(), memories.c.memory_pk.desc())
    rows = connection.execute(select(memories).where(*where).order_by(*order).limit(limit).offset(offset)).mappings()
    total = connection.execute(select(func.count()).select_from(memories).where(*where)).scalar_one()
    return shown_all(connection, space_id, [dict(row) for row in rows]), total


def of_thread(connection: Connection, space_id: str, thread_id: str) -> list[Row]:
    """Return the memories that cite a thread, shortly."""
    columns = (memories.c.memory_id, memories.c.title, memories.c.importance, memories.c.unit_type)
    where = (memories.c.space_id == space_id, memories.c.source_thread == thread_id)
    rows = connection.execute(select(*columns).where(*where).order_by(memories.c.memory_pk).limit(100))
    return [{"id": own, "title": title, "importance": rank, "unit_type": kind} for own, title, rank, kind in rows]


def shown_all(connection: Connection, space_id: str, rows: Sequence[Row]) -> list[Row]:
    """Return memories as they are shown, each with its labels."""
    of = labels.of_memories(connection, space_id, [row["memory_pk"] for row in rows])
    return [shown(row, of.get(row["memory_pk"], [])) for row in rows]


def shown(row: Row, of: Sequence[Row]) -> Row:
    """Return a memory as `GET /memories/{id}` shows it. `of`: its labels."""
    same = (
        "title",
        "content",
        "source",
        "created_at",
        "updated_at",
        "importance",
        "confidence",
        "space_id",
        "unit_type",
    )
    more = ("source_thread", "source_app", "event_start", "event_end", "temporal_context")
    return {
        "id": row["memory_id"],
        **{name: row[name] for name in (*same, *more)},
        "time": row["created_at"],
        "rating": row["importance"],
        "metadata": {"importance": row["importance"], "event_start": row["event_start"], **(row["metadata"] or {})},
        "label_ids": [label["id"] for label in of],
        "labels": [label["name"] for label in of],
        "is_favorite": False,
        "is_crystal": False,
        "review_status": None,
    }
