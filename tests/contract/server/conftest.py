from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import httpx2
import pytest

from freehold.server.app import create_app
from tests import postgres
from tests.contract.server.api import Api

STORES = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgres_server() -> Generator[postgres.Server]:
    with postgres.server() as server:
        yield server


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Path | str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield tmp_path / "archive.db"
        return
    server: postgres.Server = request.getfixturevalue("postgres_server")
    with server.database() as address:
        yield address


@pytest.fixture
async def api(database: Path | str) -> AsyncGenerator[Api]:
    """The application over a database, called within the process."""
    app = create_app(database)
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://archive") as client:
        yield Api(client, app.state.archive)
    app.state.archive.close()
