"""`/threads`: making, listing, reading and deleting conversations."""

from __future__ import annotations

from typing import Any

from freehold.server.operation import Call, Operation
from freehold.server.schemas.threads import (
    MetadataMerge,
    SyncCompleted,
    Thread,
    ThreadDelete,
    ThreadList,
    ThreadRead,
    ThreadSearch,
)
from freehold.server.search import thread_search
from freehold.server.store import message_rows, thread_rows, threads
from freehold.server.store.appending import Batch


async def create(call: Call) -> Any:
    """Make a thread with its messages."""
    given: Thread = call.body
    added = await call.write(threads.create, call.space, given, Batch(given.messages))

    def shown(connection: Any) -> Any:
        rows = message_rows.page(connection, call.space, added.thread["thread_pk"], None, 0)
        return [message_rows.shown(row) for row in rows]

    return {
        "thread": thread_rows.shown(added.thread),
        "messages": await call.read(shown),
        "created_relationships": [],
        "auto_generated_summary": None,
        "extracted_memories": [],
        "auto_extraction_performed": False,
        "warnings": added.warnings,
    }


async def listing(call: Call) -> Any:
    """List threads, the one imported last first."""
    given: ThreadList = call.query
    rows, total = await call.read(thread_rows.listed, call.space, given.source, given.limit, given.offset)
    more = given.offset + len(rows) < total
    pagination = {"limit": given.limit, "offset": given.offset, "total": total, "has_more": more}
    return {"threads": [thread_rows.summarised(row) for row in rows], "pagination": pagination}


async def search(call: Call) -> Any:
    """Search what threads say."""
    given: ThreadSearch = call.query

    def found(connection: Any) -> Any:
        return thread_search.search(
            connection, call.archive, call.space, given.query, limit=given.limit, source=given.source
        )

    answer = await call.read(found)
    answer["search_metadata"]["mode"] = given.mode
    return answer


async def read(call: Call) -> Any:
    """Read a thread with its messages."""
    given: ThreadRead = call.query
    return await call.read(threads.read, call.space, call.path["thread_id"], given.limit, given.offset)


async def merge(call: Call) -> Any:
    """Add to a thread's metadata."""
    given: MetadataMerge = call.body

    def merged(connection: Any, _: Any) -> Any:
        return threads.merge_metadata(
            connection, call.space, call.path["thread_id"], given.metadata, only_missing=given.only_missing
        )

    return {"success": True, "thread": await call.write(merged)}


async def synced(_: Call) -> Any:
    """Take note that a client has synced."""
    return {"success": True}


async def delete(call: Call) -> Any:
    """Delete a thread."""
    cascade: bool = call.query.cascade_delete_memories

    def deleted(connection: Any, archive: Any) -> Any:
        return threads.remove(connection, archive, call.space, call.path["thread_id"], cascade=cascade)

    return await call.write(deleted)


OPERATIONS = (
    Operation(
        method="GET", path="/threads", handler=listing, query=ThreadList, summary="List threads, newest import first"
    ),
    Operation(method="POST", path="/threads", handler=create, body=Thread, access="write", summary="Make a thread"),
    Operation(method="GET", path="/threads/search", handler=search, query=ThreadSearch, summary="Search threads"),
    Operation(
        method="POST",
        path="/threads/history-sync/completed",
        handler=synced,
        body=SyncCompleted,
        optional_body=True,
        access="write",
        summary="Take note of a client's sync",
    ),
    Operation(
        method="GET", path="/threads/{thread_id}", handler=read, query=ThreadRead, summary="Read a thread's messages"
    ),
    Operation(
        method="DELETE",
        path="/threads/{thread_id}",
        handler=delete,
        query=ThreadDelete,
        access="write",
        summary="Delete a thread",
    ),
    Operation(
        method="POST",
        path="/threads/{thread_id}/metadata/merge",
        handler=merge,
        body=MetadataMerge,
        access="write",
        summary="Add to a thread's metadata",
    ),
)
