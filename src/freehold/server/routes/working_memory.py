"""`/agent/working-memory`: what matters now, day by day."""

from __future__ import annotations

from typing import Any

from freehold.server.operation import Call, Operation
from freehold.server.schemas.spaces import History, WorkingMemory, WorkingMemoryRead
from freehold.server.store import working_memory

_PATH = "/agent/working-memory"


async def read(call: Call) -> Any:
    """Read the working memory."""
    return await call.read(working_memory.read, call.space, call.query.date)


async def write(call: Call) -> Any:
    """Write the working memory."""
    given: WorkingMemory = call.body

    def written(connection: Any, _: Any) -> Any:
        return working_memory.write(connection, call.space, given.content, given.date)

    return await call.write(written)


async def history(call: Call) -> Any:
    """List the days that have one."""
    return {"dates": await call.read(working_memory.days, call.space, call.query.limit)}


OPERATIONS = (
    Operation(method="GET", path=_PATH, handler=read, query=WorkingMemoryRead, summary="Read the working memory"),
    Operation(
        method="PUT",
        path=_PATH,
        handler=write,
        query=WorkingMemoryRead,
        body=WorkingMemory,
        access="write",
        summary="Write the working memory",
    ),
    Operation(
        method="GET", path=f"{_PATH}/history", handler=history, query=History, summary="List days of working memory"
    ),
)
