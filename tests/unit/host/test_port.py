from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import pytest

from freehold.host.port import Port, open_port

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def port() -> AsyncGenerator[tuple[Port, int, int]]:
    """A port, with the browser's ends of its two pipes: the one it writes to and the one it reads from."""
    source, browser_writes = os.pipe()
    browser_reads, sink = os.pipe()
    with os.fdopen(source, "rb") as reading, os.fdopen(sink, "wb") as writing:
        made = await open_port(reading, writing)
        yield made, browser_writes, browser_reads
        made.abort()


async def test_a_port_that_the_browser_has_closed_can_still_be_left() -> None:
    async with port() as (made, browser_writes, browser_reads):
        os.close(browser_reads)
        os.close(browser_writes)
        assert await made.read() is None
        await anyio.wait_all_tasks_blocked()
        await made.write({"type": "agent_closed", "agent": 1})
        made.abort()
        made.abort()


async def test_leaving_frees_who_waits_for_a_browser_that_does_not_read() -> None:
    async with port() as (made, browser_writes, browser_reads):
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(made.write, {"text": "x" * 5_000_000})
                await anyio.wait_all_tasks_blocked()
                made.abort()
        os.close(browser_writes)
        assert await made.read() is None
        os.close(browser_reads)
