"""An archive: its database, the indexes that are written with it, and the numbers of its rows."""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy import Table

from freehold.server.index.fts5 import Fts5Index
from freehold.server.index.search_index import SearchIndex
from freehold.server.index.tsvector import TsvectorIndex
from freehold.server.store import reindex, tables
from freehold.server.store.database import Database
from freehold.server.store.numbers import Numbers
from freehold.server.store.totals import TotalsOfSpaces
from freehold.text import analyzer

log = logging.getLogger(__name__)


class Archive:
    """What every part of the server works on. `place`: a file, or the URL of a PostgreSQL database."""

    def __init__(self, place: Path | str) -> None:
        self.database = Database(place)
        self.numbers = Numbers()
        self.totals = TotalsOfSpaces()
        self.messages = self._index(tables.messages, "message_pk")
        self.threads = self._index(tables.threads, "thread_pk")
        self.memories = self._index(tables.memories, "memory_pk")

    def open(self) -> None:
        """Make or upgrade the tables, and the indexes where the analyzer has changed since they were written."""
        self.database.open()
        with self.database.reading() as connection:
            written = reindex.written_by(connection)
        if written == analyzer.VERSION:
            return
        if written:
            log.warning("indexing the archive anew: it was written with another analyzer")
        with self.database.writing() as connection:
            reindex.all_of(connection, self.messages, self.threads, self.memories)

    def close(self) -> None:
        """Close every connection."""
        self.database.close()

    def _index(self, table: Table, number: str) -> SearchIndex:
        return Fts5Index(table) if self.database.is_sqlite else TsvectorIndex(table, number)
