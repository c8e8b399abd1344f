"""A host with one good agent, whom nothing that another does may touch."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from freehold.bridge.client import connect
from tests.contract.fake_extension import FakeExtension, extension


@asynccontextmanager
async def bystander(home: Path, key: bytes) -> AsyncGenerator[FakeExtension]:
    """A host with one good agent that must still be answered at the end, on the connection it had."""
    async with extension(home) as fake, connect(fake.socket, key) as good:
        yield fake
        assert (await good.call("tabs.list", {}))["method"] == "tabs.list"
