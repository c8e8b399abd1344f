"""How far each session has been archived, per backend: a small SQLite file that may be deleted.

Without it everything is sent once more, and servers know what they have already.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from freehold.errors import UnavailableError

FILE = "sync.db"
_WAIT = 5.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS cursor (backend TEXT, thread TEXT, sent INTEGER NOT NULL, remote INTEGER NOT NULL,
  last TEXT NOT NULL, epoch TEXT NOT NULL, PRIMARY KEY (backend, thread)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session (file TEXT PRIMARY KEY, source TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS done (backend TEXT, file TEXT, size INTEGER NOT NULL, modified INTEGER NOT NULL,
  PRIMARY KEY (backend, file)) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Cursor:
    """What a server has acknowledged of a thread.

    `sent`: how many of our messages, `last` the external id of the last of them. `remote`: how many the thread has
    there, -1 where that is not known. `epoch`: a random word, new with each beginning; keys that make a repeated append
    count once are made of it, so that they never meet those of a thread that was deleted since.
    """

    sent: int
    remote: int
    last: str
    epoch: str


@dataclass(frozen=True, slots=True)
class Stamp:
    """Size and time of a session file, by which it is known to be as it was."""

    size: int
    modified: int

    @classmethod
    def of(cls, file: Path) -> Self | None:
        """Return the stamp of `file`, None where it is gone."""
        try:
            facts = file.stat()
        except OSError:
            return None
        return cls(facts.st_size, facts.st_mtime_ns)


class Cursors:
    """The cursors in `folder`. Raises `UnavailableError` (`database_failed`) where it cannot be read or written."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        with self._named_errors():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                self._database = self._open()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self._file.unlink()  # damaged, and nothing in it is lost for good
                self._database = self._open()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def get(self, backend: str, thread: str) -> Cursor | None:
        """Return how far `thread` is, None where it was never sent."""
        query = "SELECT sent, remote, last, epoch FROM cursor WHERE backend = ? AND thread = ?"
        row = self._run(query, backend, thread).fetchone()
        return Cursor(*row) if row else None

    def put(self, backend: str, thread: str, cursor: Cursor) -> None:
        """Keep how far `thread` is."""
        values = (backend, thread, cursor.sent, cursor.remote, cursor.last, cursor.epoch)
        self._run("INSERT OR REPLACE INTO cursor VALUES (?, ?, ?, ?, ?, ?)", *values)

    def know(self, source: str, file: Path) -> None:
        """Remember that the session in `file` is to be archived."""
        self._run("INSERT OR IGNORE INTO session VALUES (?, ?)", str(file), source)

    def sessions(self) -> list[tuple[str, Path]]:
        """Return source and file of every session that is to be archived, in the order of the files' names."""
        return [(source, Path(file)) for file, source in self._run("SELECT file, source FROM session ORDER BY file")]

    def finish(self, backend: str, file: Path, stamp: Stamp) -> None:
        """Remember that all of `file`, as it was at `stamp`, has been archived."""
        self._run("INSERT OR REPLACE INTO done VALUES (?, ?, ?, ?)", backend, str(file), stamp.size, stamp.modified)

    def finished(self, backend: str, file: Path) -> bool:
        """Return whether `file` is as it was when it was archived, or gone."""
        stamp = Stamp.of(file)
        query = "SELECT size, modified FROM done WHERE backend = ? AND file = ?"
        row = self._run(query, backend, str(file)).fetchone()
        return stamp is None or (row is not None and Stamp(*row) == stamp)

    def _run(self, statement: str, *values: object) -> sqlite3.Cursor:
        with self._named_errors():
            return self._database.execute(statement, values)

    def _open(self) -> sqlite3.Connection:
        # Made here and not by SQLite, so that nobody else can read it for a moment.
        os.close(os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        database = sqlite3.connect(self._file, timeout=_WAIT, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.executescript(_SCHEMA)
        except sqlite3.Error:
            database.close()
            raise
        return database

    @contextmanager
    def _named_errors(self) -> Generator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            message = f"{self._file} cannot be used: {error}. Make room, or give yourself the right to write there."
            raise UnavailableError("database_failed", message, {"path": str(self._file)}) from error
