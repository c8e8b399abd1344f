"""Labels of memories: found by name whatever its case, made by the first memory that bears them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from freehold.server.faults import Fault
from freehold.server.store.archive_time import now
from freehold.server.store.tables import labels, memory_labels

Row = dict[str, Any]


def label_id(name: str) -> str:
    """Return the id of the label `name`: the same on every server, so that two that make it mean one."""
    return f"label-{hashlib.blake2b(_key(name).encode(), digest_size=8).hexdigest()}"


def ensure(
    connection: Connection,
    space_id: str,
    names: Iterable[str],
    color: str | None = None,
    description: str | None = None,
) -> list[str]:
    """Make the labels that are missing; return the ids of all, each once, in the order given. Empty names are none."""
    wanted = {label_id(name): " ".join(name.split()) for name in names if name.strip()}
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    for own, name in sorted(wanted.items()):
        row = {"space_id": space_id, "label_id": own, "name": name, "color": color, "description": description}
        connection.execute(make(labels).values(**row, created_at=now()).on_conflict_do_nothing())
    return list(wanted)


def all_of(connection: Connection, space_id: str) -> list[Row]:
    """Return the labels of a space with the number of memories that bear each, by name."""
    used = (
        select(memory_labels.c.label_id, func.count().label("memory_count"))
        .where(memory_labels.c.space_id == space_id)
        .group_by(memory_labels.c.label_id)
    )
    counts = {str(own): int(count) for own, count in connection.execute(used)}
    rows = connection.execute(select(labels).where(labels.c.space_id == space_id)).mappings()
    shown = [{**_shown(dict(row)), "memory_count": counts.get(row["label_id"], 0)} for row in rows]
    return sorted(shown, key=lambda label: (str(label["name"]).casefold(), label["id"]))


def of_memories(connection: Connection, space_id: str, numbers: Iterable[int]) -> dict[int, list[Row]]:
    """Return the labels of each memory, by name."""
    found: defaultdict[int, list[Row]] = defaultdict(list)
    wanted = list(numbers)
    if not wanted:
        return found
    joined = memory_labels.join(
        labels, (labels.c.space_id == memory_labels.c.space_id) & (labels.c.label_id == memory_labels.c.label_id)
    )
    where = (memory_labels.c.space_id == space_id, memory_labels.c.memory_pk.in_(wanted))
    rows = connection.execute(select(memory_labels.c.memory_pk, labels).select_from(joined).where(*where)).mappings()
    for row in sorted(rows, key=lambda each: str(each["name"]).casefold()):
        found[row["memory_pk"]].append(_shown(dict(row)))
    return found


def assign(connection: Connection, space_id: str, number: int, ids: Iterable[str]) -> None:
    """Give a memory exactly the labels `ids`."""
    connection.execute(delete(memory_labels).where(_of(space_id, number)))
    rows = [{"space_id": space_id, "memory_pk": number, "label_id": own} for own in ids]
    if rows:
        connection.execute(insert(memory_labels), rows)


def check(connection: Connection, space_id: str, own: str) -> str:
    """Return the id of the label that has this id or name; raise `Fault` (404) where there is none."""
    ids = [own, label_id(own)]
    where = (labels.c.space_id == space_id, labels.c.label_id.in_(ids))
    found = connection.execute(select(labels.c.label_id).where(*where)).scalars().first()
    if found is None:
        raise Fault(404, "label_not_found", f"Label not found: {own}")
    return found


def _of(space_id: str, number: int) -> Any:
    return (memory_labels.c.space_id == space_id) & (memory_labels.c.memory_pk == number)


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _shown(row: Row) -> Row:
    names = ("name", "color", "description", "created_at")
    return {"id": row["label_id"], **{name: row[name] for name in names}}
