"""Opening the archive as the user's environment says."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from anyio import to_thread

from freehold import paths
from freehold.archive import backend
from freehold.archive.archive import Connection
from freehold.archive.backend import Backend


def chosen() -> Backend:
    """Return the server that is meant; raises what `backend.choose` does."""
    return backend.choose(os.environ, Path.home())


@asynccontextmanager
async def opened() -> AsyncGenerator[Connection]:
    """Open a connection to the server that is meant."""
    from freehold.archive import opening  # noqa: PLC0415 - httpx2 takes 0.2 s, which only a call of the archive pays

    async with opening.opened(chosen(), embedded) as connection:
        yield connection


@asynccontextmanager
async def embedded() -> AsyncGenerator[Any]:
    """Run the embedded server on the database in the data folder, which is made readable to the user alone."""
    app = await to_thread.run_sync(_application, abandon_on_cancel=True)  # imports and migrations: up to seconds
    try:
        yield app
    finally:
        app.state.archive.close()


def _application() -> Any:
    from freehold.server.app import create_app  # noqa: PLC0415 - 1.5 s, which only who uses the embedded server pays

    return create_app(paths.archive())
