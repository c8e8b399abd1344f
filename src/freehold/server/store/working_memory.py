"""Working memory: a short text of what matters now, one a day, the newest standing until another is written."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, insert, select

from freehold.server.store import spaces
from freehold.server.store.archive_time import now, today
from freehold.server.store.tables import working_memory

Row = dict[str, Any]


def read(connection: Connection, space_id: str, date: str | None = None) -> Row:
    """Return the working memory of a day, without one the newest; `exists` says whether there is one."""
    statement = select(working_memory).where(working_memory.c.space_id == space_id)
    if date:
        statement = statement.where(working_memory.c.date == date)
    row = connection.execute(statement.order_by(working_memory.c.date.desc()).limit(1)).mappings().first()
    content = row["content"] if row else ""
    return {
        "exists": row is not None,
        "content": content,
        "date": row["date"] if row else (date or today()),
        # It stands in the database, and no path of the server is any client's business.
        "file_path": None,
        "parsed": None,
        "size_bytes": len(content.encode()),
        "last_modified": row["updated_at"] if row else None,
    }


def write(connection: Connection, space_id: str, content: str, date: str | None = None) -> Row:
    """Keep the working memory of a day, of today without one; return it as `read` does, with `success`."""
    spaces.ensure(connection, space_id)
    day = date or today()
    same = (working_memory.c.space_id == space_id, working_memory.c.date == day)
    connection.execute(delete(working_memory).where(*same))
    row = {"space_id": space_id, "date": day, "content": content, "updated_at": now()}
    connection.execute(insert(working_memory).values(row))
    return {"success": True, **read(connection, space_id, day)}


def days(connection: Connection, space_id: str, limit: int) -> list[str]:
    """Return the days that have one, the newest first."""
    column = working_memory.c.date
    statement = select(column).where(working_memory.c.space_id == space_id).order_by(column.desc()).limit(limit)
    return list(connection.execute(statement).scalars())
