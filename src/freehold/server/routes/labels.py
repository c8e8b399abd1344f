"""`/labels`, and the labels of a memory."""

from __future__ import annotations

from typing import Any

from freehold.server.operation import Call, Operation
from freehold.server.schemas.memories import NewLabel, OfSpace
from freehold.server.store import labels, memories, memory_rows


async def listing(call: Call) -> Any:
    """List the labels of a space."""
    return {"labels": await call.read(labels.all_of, call.space)}


async def create(call: Call) -> Any:
    """Make a label, or return the one of that name."""
    given: NewLabel = call.query

    def made(connection: Any, _: Any) -> Any:
        own = labels.ensure(connection, call.space, [given.name], given.color, given.description)
        return next((label for label in labels.all_of(connection, call.space) if label["id"] in own), None)

    label: dict[str, Any] | None = await call.write(made)
    return {"success": label is not None, "label": label, **(label or {})}


async def of_memory(call: Call) -> Any:
    """List the labels of a memory."""

    def found(connection: Any) -> Any:
        row = memory_rows.get(connection, call.space, call.path["memory_id"])
        return labels.of_memories(connection, call.space, [row["memory_pk"]]).get(row["memory_pk"], [])

    return {"labels": await call.read(found)}


async def give(call: Call) -> Any:
    """Give a memory a label."""
    return await _relabelled(call, bear=True)


async def take(call: Call) -> Any:
    """Take a label from a memory."""
    return await _relabelled(call, bear=False)


async def _relabelled(call: Call, *, bear: bool) -> Any:
    def work(connection: Any, archive: Any) -> Any:
        path = call.path
        return memories.relabel(connection, archive, call.space, path["memory_id"], path["label_id"], bear=bear)

    return await call.write(work)


_ONE = "/memories/{memory_id}/labels/{label_id}"
OPERATIONS = (
    Operation(method="GET", path="/labels", handler=listing, query=OfSpace, summary="List labels"),
    Operation(method="POST", path="/labels", handler=create, query=NewLabel, access="write", summary="Make a label"),
    Operation(
        method="GET",
        path="/memories/{memory_id}/labels",
        handler=of_memory,
        query=OfSpace,
        summary="List a memory's labels",
    ),
    Operation(method="POST", path=_ONE, handler=give, query=OfSpace, access="write", summary="Give a memory a label"),
    Operation(method="DELETE", path=_ONE, handler=take, query=OfSpace, access="write", summary="Take a label away"),
)
