"""Bringing a database up to the tables of this version."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from freehold.errors import UnavailableError

# The last of `migrations/versions`; a test keeps it so.
HEAD = "0001"
_FOLDER = Path(__file__).parent.parent / "migrations"
# Two servers that start at once on one PostgreSQL migrate it one after the other; the number is ours alone.
_LOCK = 0x66726565


def upgrade(connection: Connection) -> None:
    """Make or upgrade the tables; raise `UnavailableError` (`store_too_new`) for those of a newer Freehold."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    current = _current(connection)
    if current != HEAD:
        _migrate(connection, current)


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _migrate(connection: Connection, current: str | None) -> None:
    # Measured: alembic takes 0.25 s of processor time to import, for which a database that is current need not wait.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        message = (
            f"The archive's tables are of version {current}, of a newer Freehold; this one knows {HEAD}. Update it."
        )
        raise UnavailableError("store_too_new", message) from error
