"""Time as the extraction sees it: passed in, so that a test need not wait for it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol

import anyio


class Clock(Protocol):
    """What tells and waits."""

    def now(self) -> float:
        """Return the seconds since 1970."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        ...


class SystemClock:
    """The machine's own."""

    def now(self) -> float:
        """Return the seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        await anyio.sleep(seconds)


def stamp(seconds: float) -> str:
    """Return a moment as ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def happened(event: anyio.Event, clock: Clock, seconds: float) -> bool:
    """Wait for `event`, for `seconds` at most; tell whether it happened."""
    async with anyio.create_task_group() as group:

        async def alarm() -> None:
            await clock.sleep(seconds)
            group.cancel_scope.cancel()

        group.start_soon(alarm)
        await event.wait()
        group.cancel_scope.cancel()
    return event.is_set()
