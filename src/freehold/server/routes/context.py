"""`/context/bundle`: what an agent should know at its start."""

from __future__ import annotations

from typing import Any

from freehold.server.operation import Call, Operation
from freehold.server.schemas.spaces import ContextRead
from freehold.server.store import context


async def read(call: Call) -> Any:
    """Make the bundle."""
    given: ContextRead = call.query

    def made(connection: Any) -> Any:
        return context.bundle(
            connection,
            call.space,
            agent=given.agent_id,
            source_app=given.source_app,
            with_working_memory=given.include_working_memory,
        )

    return await call.read(made)


OPERATIONS = (
    Operation(
        method="GET", path="/context/bundle", handler=read, query=ContextRead, summary="Read the context of a session"
    ),
)
