"""`/memories`: keeping, listing, reading, changing and deleting memories."""

from __future__ import annotations

from typing import Any

from freehold.server.operation import Call, Operation
from freehold.server.schemas.memories import MemoryChange, MemoryList, NewMemory, OfSpace
from freehold.server.store import labels, memories, memory_rows


async def create(call: Call) -> Any:
    """Keep a memory, or update the one of its id."""
    return await call.write(memories.save, call.space, call.body)


async def listing(call: Call) -> Any:
    """List memories, the newest first."""
    given: MemoryList = call.query

    def page(connection: Any) -> Any:
        return memory_rows.listed(
            connection,
            call.space,
            ids=[labels.label_id(name) for name in given.labels if name.strip()],
            unit_type=given.unit_type,
            importance_min=given.importance_min,
            limit=given.limit,
            offset=given.offset,
        )

    found, total = await call.read(page)
    more = given.offset + len(found) < total
    pagination = {"limit": given.limit, "offset": given.offset, "total": total, "has_more": more}
    return {"memories": found, "pagination": pagination}


async def read(call: Call) -> Any:
    """Read a memory."""
    return await call.read(memories.read, call.space, call.path["memory_id"])


async def change(call: Call) -> Any:
    """Change a memory; `space_id` in the body moves it there."""
    given: MemoryChange = call.body
    here = call.caller.space(call.query.space_id)
    if given.space_id:
        call.caller.space(given.space_id)
    return await call.write(memories.change, here, call.path["memory_id"], given)


async def delete(call: Call) -> Any:
    """Delete a memory."""
    row = await call.write(memory_rows.remove, call.space, call.path["memory_id"])
    return {"success": True, "id": row["memory_id"], "deleted": True}


OPERATIONS = (
    Operation(method="GET", path="/memories", handler=listing, query=MemoryList, summary="List memories, newest first"),
    Operation(method="POST", path="/memories", handler=create, body=NewMemory, access="write", summary="Keep a memory"),
    Operation(method="GET", path="/memories/{memory_id}", handler=read, query=OfSpace, summary="Read a memory"),
    Operation(
        method="PATCH",
        path="/memories/{memory_id}",
        handler=change,
        query=OfSpace,
        body=MemoryChange,
        access="write",
        summary="Change a memory",
    ),
    Operation(
        method="DELETE",
        path="/memories/{memory_id}",
        handler=delete,
        query=OfSpace,
        access="write",
        summary="Delete a memory",
    ),
)
