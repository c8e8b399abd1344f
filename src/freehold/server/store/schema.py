"""Bringing a database up to the tables of this version."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text

from freehold.errors import UnavailableError

_FOLDER = Path(__file__).parent.parent / "migrations"
# Two servers that start at once on one PostgreSQL migrate it one after the other; the number is ours alone.
_LOCK = 0x66726565


def upgrade(connection: Connection) -> None:
    """Make or upgrade the tables; raise `UnavailableError` (`store_too_new`) for those of a newer Freehold."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.attributes["connection"] = connection
    current = MigrationContext.configure(connection).get_current_revision()
    head = ScriptDirectory.from_config(config).get_current_head()
    if current == head:
        return
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        message = (
            f"The archive's tables are of version {current}, of a newer Freehold; this one knows {head}. Update it."
        )
        raise UnavailableError("store_too_new", message) from error
