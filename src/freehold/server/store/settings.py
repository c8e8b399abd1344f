"""What the archive says of itself, such as which analyzer wrote its indexes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, insert, select

from freehold.server.store.tables import settings


def read(connection: Connection, name: str) -> Any:
    """Return a setting, None where it was never written."""
    return connection.execute(select(settings.c.value).where(settings.c.name == name)).scalar()


def write(connection: Connection, name: str, value: Any) -> None:
    """Write a setting."""
    connection.execute(delete(settings).where(settings.c.name == name))
    connection.execute(insert(settings).values(name=name, value=value))
