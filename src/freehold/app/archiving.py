"""Archiving sessions as the user's environment says: the cursors in the data folder, the server that is meant."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from anyio.abc import TaskGroup

from freehold import paths
from freehold.app import own_archive
from freehold.archive.archive import Archive, Connection
from freehold.archive.cursors import Cursors
from freehold.archive.importing import Importing
from freehold.archive.sync import Sync


@dataclass(frozen=True, slots=True)
class Archiving:
    """A connection, the cursors, and the importing that uses both."""

    connection: Connection
    cursors: Cursors
    importing: Importing


@asynccontextmanager
async def archiving() -> AsyncGenerator[Archiving]:
    """Open all of it; raises what opening a connection and `Cursors` do."""
    cursors = Cursors(paths.archive().parent)
    try:
        async with own_archive.opened() as connection:
            identity = connection.backend.identity(paths.archive().parent)
            yield Archiving(connection, cursors, Importing(cursors, identity))
    finally:
        cursors.close()


def sync(tasks: TaskGroup, archive: Archive, tell: Callable[[str], None]) -> Sync:
    """Return the ambient sync of one Pi process over its `archive`; `tell` reaches the user."""
    return Sync(
        tasks,
        archive,
        lambda: Cursors(paths.archive().parent),
        data=paths.archive().parent,
        tell=tell,
        wait=anyio.sleep,
    )
