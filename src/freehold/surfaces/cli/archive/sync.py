"""`freehold archive sync`: what ambient sync could not send."""

from __future__ import annotations

from functools import partial

import anyio

from freehold.app.archiving import archiving
from freehold.archive.importing import Session
from freehold.surfaces.cli.archive.answer import AsJson
from freehold.surfaces.cli.archive.progress import report, watched


def sync(as_json: AsJson = False) -> int:
    """Send what has changed of every session that was archived or is to be; to another server, all of it.

    Pi's sessions come into the archive by themselves; this is for when the server was gone, or has been changed.
    """
    return anyio.run(partial(_sync, as_json=as_json))


async def _sync(*, as_json: bool) -> int:
    async with archiving() as archive:
        known = [Session(source, file) for source, file in archive.cursors.sessions()]
        left = archive.importing.open(known)
        found = await watched(archive.importing.run(archive.connection.client, left), len(left))
    return report(archive.connection.backend.name, found, len(known) - len(left), as_json=as_json)
