"""Messages as rows, and as nmem's clients read them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, select

from freehold.server.schemas.threads import Message
from freehold.server.store.numbers import as_uuid
from freehold.server.store.tables import messages
from freehold.text.tokens import estimate

Row = dict[str, Any]
_PER_QUERY = 500


def page(connection: Connection, space_id: str, thread: int, limit: int | None, offset: int) -> list[Row]:
    """Return messages of a thread in their order, from the one at `offset`."""
    of_thread = (messages.c.space_id == space_id, messages.c.thread_pk == thread, messages.c.order_index >= offset)
    statement = select(messages).where(*of_thread).order_by(messages.c.order_index).limit(limit)
    return [dict(row) for row in connection.execute(statement).mappings()]


def tail(connection: Connection, space_id: str, thread: int, count: int) -> list[tuple[str, str]]:
    """Return role and content of the last `count` messages of a thread, in their order."""
    columns = (messages.c.role, messages.c.content)
    of_thread = (messages.c.space_id == space_id, messages.c.thread_pk == thread)
    order = messages.c.order_index.desc()
    rows = connection.execute(select(*columns).where(*of_thread).order_by(order).limit(count)).all()
    return [(role, content) for role, content in reversed(rows)]


def known(connection: Connection, space_id: str, thread: int, external: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return role and content of those messages of a thread that are known by the ids of `external`."""
    found: dict[str, tuple[str, str]] = {}
    ids = list(external)
    for start in range(0, len(ids), _PER_QUERY):
        where = (
            messages.c.space_id == space_id,
            messages.c.thread_pk == thread,
            messages.c.external_id.in_(ids[start : start + _PER_QUERY]),
        )
        rows = connection.execute(select(messages.c.external_id, messages.c.role, messages.c.content).where(*where))
        found.update({own: (role, content) for own, role, content in rows})
    return found


def stamped(
    connection: Connection, space_id: str, thread: int, moments: Iterable[str]
) -> set[tuple[str, str, str | None]]:
    """Return role, content and time of those messages of a thread that bear one of `moments`."""
    found: set[tuple[str, str, str | None]] = set()
    times = list(dict.fromkeys(moments))
    columns = (messages.c.role, messages.c.content, messages.c.timestamp)
    for start in range(0, len(times), _PER_QUERY):
        where = (
            messages.c.space_id == space_id,
            messages.c.thread_pk == thread,
            messages.c.timestamp.in_(times[start : start + _PER_QUERY]),
        )
        found.update(
            (role, content, moment) for role, content, moment in connection.execute(select(*columns).where(*where))
        )
    return found


def request_hash(given: Sequence[Message]) -> str:
    """Return what tells one batch of messages from another."""
    digest = hashlib.blake2b(digest_size=16)
    for each in given:
        for part in (each.role, each.content, each.timestamp or "", each.known_as() or ""):
            digest.update(len(part).to_bytes(8, "big") + part.encode())
    return digest.hexdigest()


def shown(row: Row) -> Row:
    """Return a message as nmem's clients read it."""
    return {
        "id": as_uuid(row["message_pk"]),
        "content": row["content"],
        "role": row["role"],
        "order_index": row["order_index"],
        "timestamp": row["timestamp"],
        "external_id": row["external_id"],
        "token_count": estimate(row["content"]),
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
        "metadata": row["metadata"] or {},
    }
