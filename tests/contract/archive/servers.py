"""The archive's server as our client meets it: within the process, and as `freehold serve` in one of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from freehold.archive.archive import Opener
from freehold.archive.backend import EMBEDDED_URL, Backend
from freehold.archive.opening import opened
from freehold.server.app import create_app
from tests.contract.server.served import served

KINDS = ("embedded", "served")


@contextmanager
def opener(kind: str, folder: Path) -> Generator[Opener]:
    """Give what opens a connection to a server of that kind, whose database is in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)

    @asynccontextmanager
    async def embedded() -> AsyncGenerator[Any]:
        app = create_app(folder / "archive.db")
        try:
            yield app
        finally:
            app.state.archive.close()

    if kind == "embedded":
        yield lambda: opened(Backend("embedded", EMBEDDED_URL, "a test"), embedded)
        return
    with served(folder / "archive.db", folder / "home") as server:
        yield lambda: opened(Backend("named", server.address, "a test"), embedded)
