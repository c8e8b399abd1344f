"""The database: one writer at a time on SQLite, transactions side by side on PostgreSQL, each in its own thread."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from freehold.errors import UsageError
from freehold.server.store import failure, schema

T = TypeVar("T")

# Seconds for which a call waits for a lock, a connection or PostgreSQL's answer.
LOCK_WAIT = 10
CONNECT_WAIT = 5
STATEMENT_LIMIT = 30
# Calls that run at once; more wait. PostgreSQL's pool has as many connections.
CONCURRENCY = 8
_TRIES = 3


class Database:
    """An archive's database, SQLite in a file or PostgreSQL at an address.

    `place`: the file of a SQLite database, made (0600) where it is missing, or a URL such as
    `postgresql://user@host/name`. Raises `UsageError` (`invalid_argument`) for a URL that is not one of PostgreSQL's.
    """

    def __init__(self, place: Path | str) -> None:
        self.url = _url(place)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._engine = _sqlite_engine(self.url) if self.is_sqlite else _postgresql_engine(self.url)
        self._writing = threading.Lock()
        self._limiter: anyio.CapacityLimiter | None = None

    @property
    def dialect(self) -> str:
        """The kind of database, `sqlite` or `postgresql`."""
        return self.url.get_backend_name()

    @property
    def name(self) -> str:
        """Where it is, without a password."""
        return self.url.render_as_string(hide_password=True)

    def open(self) -> None:
        """Make or upgrade its tables."""
        with self.writing() as connection:
            schema.upgrade(connection)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """Yield a connection that sees one state of the database throughout."""
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with self._engine.connect().execution_options(**options) as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """Yield a connection in a transaction, committed where nothing is raised."""
        if not self.is_sqlite:
            with self._engine.begin() as connection:
                yield connection
            return
        # SQLite has one writer; threads of this process queue here in turn instead of polling its lock.
        with self._writing, self._engine.connect().execution_options(immediate=True) as connection, connection.begin():
            yield connection

    async def read(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run `work(connection, *arguments)` in a thread, reading."""
        return await self._in_thread(self._run, self.reading, work, arguments)

    async def write(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run `work(connection, *arguments)` in a thread and one transaction.

        What has begun is finished, also when the client has gone: it may have been told nothing, and asks again.
        """
        return await self._in_thread(self._run, self.writing, work, arguments)

    @staticmethod
    def _run(opened: Callable[[], Any], work: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        for _ in range(_TRIES - 1):
            try:
                with opened() as connection:
                    return work(connection, *arguments)
            except SQLAlchemyError as error:
                # Two made the same thread or label at once: the second try finds it.
                if not failure.is_conflict(error):
                    raise
        with opened() as connection:
            return work(connection, *arguments)

    async def _in_thread(self, run: Callable[..., T], *arguments: Any) -> T:
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(CONCURRENCY)
        return await anyio.to_thread.run_sync(run, *arguments, limiter=self._limiter)


def _url(place: Path | str) -> URL:
    if isinstance(place, Path):
        return URL.create("sqlite", database=str(place))
    try:
        url = make_url(place)
    except ArgumentError:
        url = None
    if url is None or url.get_backend_name() not in {"postgresql", "postgres"}:
        message = (
            "That is no address of a PostgreSQL database. Valid: postgresql://USER@HOST:PORT/NAME, or a file by --data."
        )
        raise UsageError("invalid_argument", message)
    return url.set(drivername="postgresql+psycopg")


def _sqlite_engine(url: URL) -> Engine:
    file = url.database
    if file:
        _make_private(Path(file))
    engine = create_engine(url, pool_size=CONCURRENCY, max_overflow=2, pool_timeout=LOCK_WAIT)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {LOCK_WAIT * 1000}")
        connection.execute("PRAGMA journal_mode = WAL")
        # A commit that was answered is on the disk, also after the machine has lost its power.
        connection.execute("PRAGMA synchronous = FULL")
        # Of each connection, in KiB; all ten together stay far below what a server may take.
        connection.execute("PRAGMA cache_size = -16000")
        connection.execute("PRAGMA trusted_schema = OFF")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        # A transaction that begins by reading and then writes fails where another has written meanwhile; one that
        # locks at once waits instead.
        immediate = connection.get_execution_options().get("immediate")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def _make_private(file: Path) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # SQLite gives its -wal and -shm files the mode of the database.
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def _postgresql_engine(url: URL) -> Engine:
    options = f"-c statement_timeout={STATEMENT_LIMIT}s -c lock_timeout={LOCK_WAIT}s -c client_encoding=UTF8"
    return create_engine(
        url,
        pool_size=CONCURRENCY,
        max_overflow=2,
        pool_timeout=LOCK_WAIT,
        # A server that was restarted leaves dead connections in the pool.
        pool_pre_ping=True,
        connect_args={"connect_timeout": CONNECT_WAIT, "options": options, "application_name": "freehold"},
    )
