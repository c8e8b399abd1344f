"""Slowing down whoever guesses keys."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WRONG = 8
WINDOW = 300.0
BLOCKED = 600.0
# Addresses remembered; beyond, those that were seen first are forgotten.
_MOST = 10_000


class Throttle:
    """Counts wrong keys by address: 8 within five minutes block it for ten. `clock`: seconds, for tests."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: dict[str, deque[float]] = {}
        self._until: dict[str, float] = {}

    def wait(self, address: str) -> float:
        """Return for how many seconds `address` must wait, 0 where it need not."""
        left = self._until.get(address, 0.0) - self._clock()
        if left <= 0:
            self._until.pop(address, None)
        return max(left, 0.0)

    def count(self, address: str) -> None:
        """Take note of a wrong key."""
        now = self._clock()
        while len(self._wrong) >= _MOST and address not in self._wrong:
            self._wrong.pop(next(iter(self._wrong)))
        times = self._wrong.setdefault(address, deque(maxlen=WRONG))
        times.append(now)
        if len(times) == WRONG and now - times[0] <= WINDOW:
            self._until[address] = now + BLOCKED
            del self._wrong[address]
            while len(self._until) > _MOST:
                self._until.pop(next(iter(self._until)))
