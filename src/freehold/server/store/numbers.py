"""Numbers of rows: made by the process that writes, ordered by time, unique without asking the database."""

from __future__ import annotations

import secrets
import threading
import time
import uuid

# 42 bits of milliseconds (to the year 2109), 12 bits of the process, 9 bits of a counter: below 2**63, and the newest
# row has the highest number in every table and on every server, so a search can begin with the newest.
_PROCESS_BITS, _COUNTER_BITS = 12, 9


class Numbers:
    """Gives out numbers, each once."""

    def __init__(self) -> None:
        self._process = secrets.randbits(_PROCESS_BITS) << _COUNTER_BITS
        self._lock = threading.Lock()
        self._tick = 0
        self._counter = 0

    def take(self, count: int = 1) -> list[int]:
        """Return `count` numbers in rising order."""
        with self._lock:
            return [self._one() for _ in range(count)]

    def _one(self) -> int:
        # Where more are taken than a millisecond has room for, the clock is run ahead of.
        now = max(time.time_ns() // 1_000_000, self._tick)
        self._counter = self._counter + 1 if now == self._tick else 0
        if self._counter >> _COUNTER_BITS:
            now, self._counter = now + 1, 0
        self._tick = now
        return now << (_PROCESS_BITS + _COUNTER_BITS) | self._process | self._counter


def as_uuid(number: int) -> str:
    """Return a number in the form of id that nmem's clients show."""
    return str(uuid.UUID(int=number))
