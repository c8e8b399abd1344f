"""Walking all rows of a table in batches, however many there are, also while they are written to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Table, select

Row = dict[str, Any]
BATCH = 1_000


def batches(connection: Connection, table: Table, number: str, columns: Sequence[Column[Any]]) -> Iterator[list[Row]]:
    """Yield rows of `table` in the order of spaces and numbers, 1,000 at a time. `number`: the numbering column."""
    space, own = table.c.space_id, table.c[number]
    spaces = connection.execute(select(space).distinct().order_by(space)).scalars().all()
    for space_id in spaces:
        last = -1
        while True:
            where = (space == space_id, own > last)
            rows = connection.execute(select(*columns).where(*where).order_by(own).limit(BATCH)).mappings().all()
            if not rows:
                break
            yield [dict(row) for row in rows]
            last = rows[-1][number]
