"""What a database's own errors mean to a client."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from freehold.errors import UnavailableError
from freehold.server.faults import Fault

# SQLite's words, and PostgreSQL's SQLSTATE classes, for what another try will not mend.
_FULL = ("disk is full", "disk quota")
_READ_ONLY = ("readonly database", "read-only")
_CORRUPT = ("malformed", "not a database", "disk i/o error")
_FULL_STATES = ("53100",)
_READ_ONLY_STATES = ("25006",)
_DISK = "The archive's disk is full; nothing was written. Make room, then ask again."
_WRITE = "The archive's database cannot be written to; nothing was changed. See to its file's owner and mode."
_DAMAGED = "The archive's database is damaged. Stop the server and run: freehold serve check --repair."
_BUSY = "The archive's database is busy or gone; nothing was changed. Ask again in a moment."


def fault(error: SQLAlchemyError) -> Fault:
    """Return what to answer for `error`; the code is `database_failed`, and a transient one is `retryable`."""
    text = str(getattr(error, "orig", error)).lower()
    state = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
    if state in _FULL_STATES or any(word in text for word in _FULL):
        return Fault(507, "database_failed", _DISK, retryable=False)
    if state in _READ_ONLY_STATES or any(word in text for word in _READ_ONLY):
        return Fault(503, "database_failed", _WRITE, retryable=False)
    if any(word in text for word in _CORRUPT):
        return Fault(503, "database_failed", _DAMAGED, retryable=False)
    if isinstance(error, OperationalError | PoolTimeout) or _is_transient(error, state):
        return Fault(503, "database_failed", _BUSY, retryable=True)
    return Fault(500, "server_error", f"The archive's database answered with {type(error).__name__}.")


def unavailable(error: SQLAlchemyError) -> UnavailableError:
    """Return `error` as one of Freehold's own: `database_failed`, with what to do."""
    found = fault(error)
    return UnavailableError("database_failed", f"{found.detail} ({described(error)})", {"retryable": found.retryable})


def is_conflict(error: SQLAlchemyError) -> bool:
    """Say whether another transaction came in between, so that the same work may now succeed."""
    state = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
    return state in {"40001", "40P01", "23505"} or "unique constraint failed" in str(error).lower()


def _is_transient(error: SQLAlchemyError, state: str) -> bool:
    return state[:2] in {"08", "40", "53", "55", "57"} or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )


def described(error: SQLAlchemyError) -> str:
    """Return what a log may say of `error`: its kind and the database's words, never the values of a statement."""
    original = getattr(error, "orig", None)
    first = str(original if original is not None else type(error).__name__).splitlines() or [""]
    return f"{type(error).__name__}: {first[0][:200]}"
