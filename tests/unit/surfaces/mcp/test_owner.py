from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from freehold.errors import UnavailableError
from freehold.surfaces.mcp.owner import Place, RuntimeOwner
from freehold.tools.result import ToolResult

pytestmark = pytest.mark.anyio


class Runtime:
    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        return ToolResult(name)


class Openings:
    """Opens runtimes and remembers what became of them; `cancelled` is the scope of a caller who gives up meanwhile."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.cancelled: anyio.CancelScope | None = None
        self.error: Exception | None = None

    @asynccontextmanager
    async def __call__(self, place: Place) -> AsyncGenerator[Runtime]:
        if self.cancelled is not None:
            self.cancelled.cancel()
        if self.error is not None:
            raise self.error
        self.events.append(f"opened {place.session}")
        try:
            yield Runtime()
        finally:
            await anyio.lowlevel.checkpoint()
            self.events.append("closed")


async def name() -> Place:
    return Place("shop", Path("shop"))


async def test_the_runtime_is_opened_once_and_closed_with_the_owner() -> None:
    openings = Openings()
    async with RuntimeOwner(openings) as owner:
        assert await owner.runtime(name) is await owner.runtime(name)
    assert openings.events == ["opened shop", "closed"]


async def test_a_first_call_cancelled_in_the_moment_of_opening_holds_up_neither_itself_nor_the_next() -> None:
    openings = Openings()
    async with RuntimeOwner(openings) as owner:
        with anyio.CancelScope() as openings.cancelled:
            await owner.runtime(name)
        assert openings.cancelled.cancelled_caught
        assert await owner.runtime(name)
    assert openings.events == ["opened shop", "closed"]


async def test_what_opening_raises_is_the_calls_answer_and_the_next_call_tries_again() -> None:
    openings = Openings()
    async with RuntimeOwner(openings) as owner:
        openings.error = UnavailableError("setup_missing", "Run freehold setup.")
        with pytest.raises(UnavailableError):
            await owner.runtime(name)
        openings.error = None
        assert await owner.runtime(name)


async def test_a_server_that_is_cancelled_still_closes_its_runtime() -> None:
    openings = Openings()
    with anyio.CancelScope() as scope:
        async with RuntimeOwner(openings) as owner:
            await owner.runtime(name)
            scope.cancel()
            await anyio.sleep_forever()
    assert openings.events == ["opened shop", "closed"]
