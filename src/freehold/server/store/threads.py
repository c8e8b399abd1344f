"""Making, reading, changing and deleting whole threads."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, func, select

from freehold.server.faults import Fault
from freehold.server.schemas.threads import Message, Thread
from freehold.server.store import appending, document, memory_rows, message_rows, spaces, thread_rows
from freehold.server.store.appending import Added, Batch
from freehold.server.store.archive import Archive
from freehold.server.store.archive_time import now
from freehold.server.store.numbers import as_uuid
from freehold.server.store.tables import idempotency, memories, messages

Row = dict[str, Any]
_TITLE = 80


def create(connection: Connection, archive: Archive, space_id: str, given: Thread, batch: Batch) -> Added:
    """Make a thread with its messages; raise `Fault` (409) where there is one of that id."""
    if thread_rows.found(connection, space_id, given.thread_id):
        detail = f"Thread already exists: {given.thread_id}. Append to it with POST /threads/{{id}}/append."
        raise Fault(409, "thread_exists", detail)
    spaces.ensure(connection, space_id)
    row = _row(archive, space_id, given)
    title = document.of_thread(space_id, row["thread_pk"], row["title"], row["summary"], row["source"])
    archive.threads.insert(connection, [row], [title])
    return appending.add(connection, archive, row, batch)


def read(connection: Connection, space_id: str, thread_id: str, limit: int | None, offset: int) -> Row:
    """Return a thread with a page of its messages."""
    row = thread_rows.get(connection, space_id, thread_id)
    shown = [
        message_rows.shown(each) for each in message_rows.page(connection, space_id, row["thread_pk"], limit, offset)
    ]
    cited = memory_rows.of_thread(connection, space_id, row["thread_id"])
    return {
        "thread": thread_rows.shown(row),
        "messages": shown,
        "related_memories": cited,
        "entities": [],
        "total_messages": row["message_count"],
        "total_tokens": sum(each["token_count"] for each in shown),
        "covered_message_ids": [],
    }


def merge_metadata(
    connection: Connection, space_id: str, thread_id: str, given: dict[str, Any], *, only_missing: bool
) -> Row:
    """Add to a thread's metadata and return the thread. `only_missing`: what is there stays."""
    row = thread_rows.get(connection, space_id, thread_id, lock=True)
    have: dict[str, Any] = row["metadata"] or {}
    merged = {**given, **have} if only_missing else {**have, **given}
    return thread_rows.shown(thread_rows.change(connection, row, metadata=merged))


def remove(connection: Connection, archive: Archive, space_id: str, thread_id: str, *, cascade: bool) -> Row:
    """Delete a thread, with `cascade` the memories that cite it too; return what was deleted."""
    row = thread_rows.get(connection, space_id, thread_id, lock=True)
    same = (messages.c.space_id == space_id, messages.c.thread_pk == row["thread_pk"])
    columns = (messages.c.message_pk, messages.c.content)
    found = connection.execute(select(*columns).where(*same)).all()
    gone = [document.of_message(space_id, number, content, row["source"]) for number, content in found]
    archive.messages.remove(connection, gone)
    title = document.of_thread(space_id, row["thread_pk"], row["title"], row["summary"], row["source"])
    archive.threads.remove(connection, [title])
    connection.execute(delete(messages).where(*same))
    scope = f"append/{row['thread_pk']}"
    connection.execute(delete(idempotency).where(idempotency.c.space_id == space_id, idempotency.c.scope == scope))
    table = thread_rows.threads
    connection.execute(delete(table).where(table.c.space_id == space_id, table.c.thread_pk == row["thread_pk"]))
    cited = _cited(connection, archive, space_id, row["thread_id"]) if cascade else 0
    return {"success": True, "deleted_messages": len(found), "deleted_memories": cited}


def _cited(connection: Connection, archive: Archive, space_id: str, thread_id: str) -> int:
    where = (memories.c.space_id == space_id, memories.c.source_thread == thread_id)
    ids = connection.execute(select(memories.c.memory_id).where(*where)).scalars().all()
    for memory_id in ids:
        memory_rows.remove(connection, archive, space_id, memory_id)
    return len(ids)


def count(connection: Connection, space_id: str) -> int:
    """Return how many threads a space has."""
    table = thread_rows.threads
    return connection.execute(select(func.count()).select_from(table).where(table.c.space_id == space_id)).scalar_one()


def _row(archive: Archive, space_id: str, given: Thread) -> Row:
    number, written = archive.numbers.take()[0], now()
    return {
        "space_id": space_id,
        "thread_pk": number,
        "thread_id": given.thread_id,
        "uuid": as_uuid(number),
        "title": given.title or _title(given.messages),
        "summary": given.summary or "",
        # Clients ask for `Codex` and save as `codex`; one spelling finds both.
        "source": (given.source or "unknown").strip().casefold(),
        "project": given.project,
        "workspace": given.workspace,
        "tool_version": given.tool_version,
        "participants": given.participants or list(dict.fromkeys(each.role for each in given.messages)),
        "metadata": given.metadata,
        "agent_id": given.agent_id,
        "host_agent_id": given.host_agent_id,
        "source_app": given.source_app,
        "message_count": 0,
        "term_count": 0,
        "last_activity": None,
        "import_date": given.import_date or written,
        "created_at": written,
        "updated_at": written,
    }


def _title(given: list[Message]) -> str:
    """Return the first words that the user said."""
    said = next((each.content for each in given if each.role == "user"), given[0].content if given else "")
    line = " ".join(said[: 4 * _TITLE].split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}\u2026"
