"""When the process ends: its client closes standard input, a signal comes, or the parent dies."""

from __future__ import annotations

import os
import signal
import threading

import anyio

PARENT_INTERVAL = 1.0
"""Seconds between two looks at the parent."""
DRAIN_LIMIT = 2.0
"""Seconds in which answers may still be written after standard input has ended."""


async def cancel_when_told(scope: anyio.CancelScope) -> None:
    """Cancel `scope` when SIGTERM, SIGINT or SIGHUP comes."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async for _ in signals:
            scope.cancel()
            return


async def cancel_when_orphaned(scope: anyio.CancelScope) -> None:
    """Cancel `scope` when the parent has died; a sibling may still hold the other end of our standard input.

    Looked at, not announced: `PR_SET_PDEATHSIG` also fires when only the thread that started us ends.
    """
    parent = os.getppid()
    while os.getppid() == parent:  # noqa: ASYNC110 - no event tells it
        await anyio.sleep(PARENT_INTERVAL)
    scope.cancel()


def leave_at_once() -> None:
    """End the process: the SDK reads standard input in a thread, and nothing else ends that wait."""
    os._exit(0)


def leave_failed() -> None:
    """End the process and say by its status that it failed."""
    os._exit(1)


def leave_soon() -> None:
    """End the process in `DRAIN_LIMIT`, should writing the last answers to a client that does not read never end."""
    timer = threading.Timer(DRAIN_LIMIT, leave_at_once)
    timer.daemon = True
    timer.start()
