"""Spaces: what keeps the conversations and memories of one team or purpose apart from others."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from freehold.server.faults import Fault
from freehold.server.store.archive_time import now
from freehold.server.store.tables import spaces

DEFAULT = "default"


def ensure(connection: Connection, space_id: str, name: str = "") -> None:
    """Make the space where it is missing: the first thing written to it makes it."""
    row = {"space_id": space_id, "name": name or space_id, "created_at": now()}
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    connection.execute(insert(spaces).values(row).on_conflict_do_nothing())


def all_of(connection: Connection) -> list[dict[str, Any]]:
    """Return every space; the default one is always there."""
    found = [_shown(dict(row)) for row in connection.execute(select(spaces).order_by(spaces.c.space_id)).mappings()]
    if all(space["id"] != DEFAULT for space in found):
        found.insert(0, _shown({"space_id": DEFAULT, "name": "Default", "created_at": None, "details": None}))
    return found


def change(connection: Connection, space_id: str, name: str) -> dict[str, Any]:
    """Rename a space."""
    if space_id == DEFAULT:
        ensure(connection, space_id)
    done = connection.execute(update(spaces).where(spaces.c.space_id == space_id).values(name=name))
    if not done.rowcount:
        raise Fault(404, "space_not_found", f"Space not found: {space_id}")
    return next(space for space in all_of(connection) if space["id"] == space_id)


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": row["space_id"],
        "name": row["name"],
        "created_at": row["created_at"],
        "is_default": row["space_id"] == DEFAULT,
        **(row["details"] or {}),
    }
