"""How large a space is, for ranking: counts and mean lengths, remembered for a moment where they are dear to make."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from freehold.server.store.tables import memories, threads

# Below so many threads they are summed each time; a small archive ranks by what it holds now.
_WORTH_KEEPING = 2_000
_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Totals:
    """Documents of a space. `messages`, `threads`: how many; `terms`: of all messages."""

    threads: int
    messages: int
    terms: int


class TotalsOfSpaces:
    """The totals of each space."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, Totals]] = {}

    def of(self, connection: Connection, space_id: str) -> Totals:
        """Return the totals of a space, those of a large one as they were at most five seconds ago."""
        then, kept = self._kept.get(space_id, (0.0, None))
        if kept is not None and time.monotonic() - then < _SECONDS:
            return kept
        columns = (func.count(), func.sum(threads.c.message_count), func.sum(threads.c.term_count))
        row = connection.execute(select(*columns).where(threads.c.space_id == space_id)).one()
        totals = Totals(int(row[0]), int(row[1] or 0), int(row[2] or 0))
        if totals.threads >= _WORTH_KEEPING:
            self._kept[space_id] = (time.monotonic(), totals)
        return totals


def of_memories(connection: Connection, space_id: str) -> tuple[int, float]:
    """Return how many memories a space has, and how many terms each has on the average."""
    columns = (func.count(), func.avg(memories.c.term_count))
    count, average = connection.execute(select(*columns).where(memories.c.space_id == space_id)).one()
    return int(count), float(average or 1.0)
