"""Threads as rows, and as nmem's clients read them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, or_, select, update

from freehold.server.faults import thread_not_found
from freehold.server.store.archive_time import now, readable
from freehold.server.store.tables import threads

Row = dict[str, Any]


def found(connection: Connection, space_id: str, thread_id: str, *, lock: bool = False) -> Row | None:
    """Return the thread that is called `thread_id`, or whose uuid that is. `lock`: others that would write wait."""
    known = or_(threads.c.thread_id == thread_id, threads.c.uuid == thread_id)
    # Its own name goes before another's uuid.
    order = threads.c.thread_id != thread_id
    statement = select(threads).where(threads.c.space_id == space_id, known).order_by(order).limit(1)
    if lock and connection.dialect.name == "postgresql":
        statement = statement.with_for_update()
    row = connection.execute(statement).mappings().first()
    return dict(row) if row else None


def get(connection: Connection, space_id: str, thread_id: str, *, lock: bool = False) -> Row:
    """Return the thread, as `found`; raise `Fault` (`thread_not_found`)."""
    row = found(connection, space_id, thread_id, lock=lock)
    if row is None:
        raise thread_not_found()
    return row


def listed(connection: Connection, space_id: str, source: str | None, limit: int, offset: int) -> tuple[list[Row], int]:
    """Return a page of threads, the one imported last first, and how many there are; a source in whatever case."""
    where = [threads.c.space_id == space_id]
    if source:
        where.append(threads.c.source == source.strip().casefold())
    order = (threads.c.import_date.desc(), threads.c.thread_pk.desc())
    rows = connection.execute(select(threads).where(*where).order_by(*order).limit(limit).offset(offset)).mappings()
    total = connection.execute(select(func.count()).select_from(threads).where(*where)).scalar_one()
    return [dict(row) for row in rows], total


def change(connection: Connection, row: Row, **values: Any) -> Row:
    """Change columns of a thread."""
    values["updated_at"] = now()
    same = (threads.c.space_id == row["space_id"], threads.c.thread_pk == row["thread_pk"])
    connection.execute(update(threads).where(*same).values(values))
    return {**row, **values}


def shown(row: Row) -> Row:
    """Return a thread as `GET /threads/{id}` shows it."""
    same = ("thread_id", "title", "summary", "message_count", "source", "space_id", "project", "workspace")
    more = ("tool_version", "import_date", "created_at", "updated_at", "last_activity")
    return {
        "id": row["uuid"],
        **{name: row[name] for name in (*same, *more)},
        "participants": row["participants"] or [],
        "metadata": row["metadata"] or {},
        "node_type": "Thread",
    }


def summarised(row: Row) -> Row:
    """Return a thread as `GET /threads` lists it."""
    same = ("title", "summary", "source", "space_id", "agent_id", "source_app", "host_agent_id")
    return {
        "id": row["thread_id"],
        "thread_id": row["thread_id"],
        **{name: row[name] for name in same},
        "messages": row["message_count"],
        "message_count": row["message_count"],
        "date": readable(row["import_date"]),
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "last_activity": row["last_activity"],
        "is_favorite": False,
        "metadata": row["metadata"] or {},
    }
