"""Adding messages to a thread, each once: what is there already is left out, and a retry gets its first answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, insert, select

from freehold.server.faults import checkpoint_conflict
from freehold.server.schemas.threads import Message
from freehold.server.store import document, message_rows, thread_rows
from freehold.server.store.archive import Archive
from freehold.server.store.archive_time import now
from freehold.server.store.tables import idempotency

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """Messages to add. `key`: names the request, so that a retry is known. `expected`: how many the thread has."""

    messages: Sequence[Message]
    deduplicate: bool = True
    key: str = ""
    expected: int | None = None


@dataclass(slots=True)
class Added:
    """What was added: the thread as it now is, and how many messages. `warnings`: what a client should look at."""

    thread: Row
    count: int
    checkpointed: bool = False
    warnings: list[str] = field(default_factory=list[str])

    def answer(self) -> Row:
        """Return the answer to an append."""
        answer: Row = {
            "success": True,
            "thread_id": self.thread["thread_id"],
            "messages_added": self.count,
            "total_messages": self.thread["message_count"],
        }
        if self.checkpointed:
            answer["append_mode"] = "checkpointed"
        if self.warnings:
            answer["warnings"] = self.warnings
        return answer


def append(connection: Connection, archive: Archive, space_id: str, thread_id: str, batch: Batch) -> Row:
    """Add a batch to a thread; raise `Fault` (`thread_not_found`, `checkpoint_conflict`), then nothing was written."""
    row = thread_rows.get(connection, space_id, thread_id, lock=True)
    if batch.expected is None:
        return add(connection, archive, row, batch).answer()
    scope, hashed = f"append/{row['thread_pk']}", message_rows.request_hash(batch.messages)
    if batch.key and (first := _answered(connection, space_id, scope, batch.key, hashed)):
        return first
    if row["message_count"] != batch.expected:
        raise checkpoint_conflict(batch.expected, row["message_count"])
    added = add(connection, archive, row, batch)
    added.checkpointed = True
    answer = added.answer()
    if batch.key:
        _keep(connection, space_id, scope, batch.key, hashed, answer)
    return answer


def add(connection: Connection, archive: Archive, thread: Row, batch: Batch) -> Added:
    """Add to the locked row `thread` what of a batch is not there yet, at its end and in order."""
    chosen, warnings = _new(connection, thread, batch)
    if not chosen:
        return Added(thread, 0, warnings=warnings)
    written = now()
    rows: list[Row] = []
    documents: list[document.Document] = []
    numbers = archive.numbers.take(len(chosen))
    for at, (number, (external, each)) in enumerate(zip(numbers, chosen, strict=True)):
        one = document.of_message(thread["space_id"], number, each.content, thread["source"])
        documents.append(one)
        rows.append(
            {
                "space_id": thread["space_id"],
                "message_pk": number,
                "thread_pk": thread["thread_pk"],
                "order_index": thread["message_count"] + at,
                "role": each.role,
                "content": each.content,
                "timestamp": each.timestamp,
                "external_id": external,
                "metadata": each.metadata,
                "term_count": document.length(one),
                "created_at": written,
            }
        )
    archive.messages.insert(connection, rows, documents)
    counted: Row = {
        "message_count": thread["message_count"] + len(rows),
        "term_count": thread["term_count"] + sum(map(document.length, documents)),
        "last_activity": max((each.timestamp for _, each in chosen if each.timestamp), default=written),
    }
    return Added(thread_rows.change(connection, thread, **counted), len(rows), warnings=warnings)


def _new(connection: Connection, thread: Row, batch: Batch) -> tuple[list[tuple[str | None, Message]], list[str]]:
    """Return the messages to add with the ids they are known by, and what differs from what is there under an id."""
    named = [(_named(each, batch.key, at), each) for at, each in enumerate(batch.messages)]
    space_id, number = thread["space_id"], thread["thread_pk"]
    ids = [own for own, _ in named if own] if thread["message_count"] else []
    have = message_rows.known(connection, space_id, number, ids)
    changed = [own for own, each in named if own in have and have[own] != (each.role, each.content)]
    warnings = [f"The message {own} is there with other content, which was kept." for own in changed]
    chosen: list[tuple[str | None, Message]] = []
    unnamed = [each for own, each in named if own is None]
    there = _there(connection, thread, unnamed) if batch.deduplicate and unnamed else set[int]()
    taken = set(have)
    for own, each in named:
        if own is None:
            if id(each) not in there:
                chosen.append((None, each))
        elif own not in taken:
            taken.add(own)
            chosen.append((own, each))
    return chosen, warnings


def _named(each: Message, key: str, at: int) -> str | None:
    """Return the id of a message; one without gets the id that nmem's own client derives from the request's key."""
    return each.known_as() or (f"idem:{key}:{at}" if key else None)


def _there(connection: Connection, thread: Row, given: Sequence[Message]) -> set[int]:
    """Return which messages without an id are in the thread: by role, content and time; without a time, at its end.

    People say "yes" many times. So what bears no time is taken for a repetition only where the thread ends as the batch
    begins, as it does after a request whose answer was lost.
    """
    space_id, number = thread["space_id"], thread["thread_pk"]
    stamped = message_rows.stamped(connection, space_id, number, [each.timestamp for each in given if each.timestamp])
    there = {id(each) for each in given if each.timestamp and (each.role, each.content, each.timestamp) in stamped}
    bare = [each for each in given if not each.timestamp]
    said = [(each.role, each.content) for each in bare]
    end = message_rows.tail(connection, space_id, number, len(said)) if said else []
    overlap = next((size for size in range(len(end), 0, -1) if end[-size:] == said[:size]), 0)
    return there | {id(each) for each in bare[:overlap]}


def _answered(connection: Connection, space_id: str, scope: str, key: str, hashed: str) -> Row | None:
    same = (idempotency.c.space_id == space_id, idempotency.c.scope == scope, idempotency.c.key == key)
    columns = (idempotency.c.request_hash, idempotency.c.response)
    row = connection.execute(select(*columns).where(*same)).first()
    return row[1] if row and row[0] == hashed else None


def _keep(connection: Connection, space_id: str, scope: str, key: str, hashed: str, answer: Row) -> None:
    same = (idempotency.c.space_id == space_id, idempotency.c.scope == scope, idempotency.c.key == key)
    connection.execute(idempotency.delete().where(*same))
    row = {"space_id": space_id, "scope": scope, "key": key, "request_hash": hashed, "response": answer}
    connection.execute(insert(idempotency).values(**row, created_at=now()))
