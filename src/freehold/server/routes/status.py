"""Whether the server is there, how it is, and what it can do."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from freehold import __version__
from freehold.server.endpoint import json_response
from freehold.server.operation import Call, Operation
from freehold.server.schemas.memories import OfSpace
from freehold.server.store import failure
from freehold.server.store.tables import labels, memories, threads

# What clients look for before they ask.
CAPABILITIES = {
    "spaces": True,
    "space_protocol": "exact-v1",
    "checkpointed_append": True,
    "idempotency": True,
    "thread_search": True,
    "memory_search": ["fast", "deep"],
    "embeddings": False,
    "knowledge_graph": False,
    "file_path_import": False,
    "mcp": True,
}


async def livez(_: Call) -> Any:
    """Say that the process answers."""
    return {"status": "ok"}


async def health(call: Call) -> Any:
    """Say whether the database answers too."""
    answer: dict[str, Any] = {
        "status": "ok",
        "version": __version__,
        "product": "freehold",
        "database_connected": True,
        "database": call.archive.database.dialect,
        "embedding": {"mode": "none", "degraded": False},
    }
    try:
        await call.read(_ask)
    except SQLAlchemyError as error:
        fault = failure.fault(error)
        told = {"status": "degraded", "database_connected": False, "detail": fault.detail}
        return json_response({**answer, **told, "error_code": fault.code, "retryable": fault.retryable}, 503)
    return answer


def _ask(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))


async def stats(call: Call) -> Any:
    """Count what there is."""
    return await call.read(_counted, call.space)


def _counted(connection: Connection, space_id: str) -> dict[str, Any]:
    def count(table: Any) -> int:
        return connection.execute(
            select(func.count()).select_from(table).where(table.c.space_id == space_id)
        ).scalar_one()

    said = select(func.coalesce(func.sum(threads.c.message_count), 0)).where(threads.c.space_id == space_id)
    return {
        "memory_count": count(memories),
        "thread_count": count(threads),
        "message_count": int(connection.execute(said).scalar_one()),
        "entity_count": 0,
        "label_count": count(labels),
        "community_count": 0,
        "space_id": space_id,
    }


async def capabilities(_: Call) -> Any:
    """Say what this server can do."""
    return {"product": "freehold", "version": __version__, "capabilities": CAPABILITIES, **CAPABILITIES}


async def events(_: Call) -> Any:
    """Tell of no events: there is no feed here."""
    return {"events": [], "total": 0}


OPERATIONS = (
    Operation(method="GET", path="/livez", handler=livez, access="open", summary="Say that the process answers"),
    Operation(method="GET", path="/health", handler=health, access="open", summary="Say how the server is"),
    Operation(
        method="GET", path="/capabilities", handler=capabilities, access="open", summary="Say what the server can do"
    ),
    Operation(method="GET", path="/stats", handler=stats, query=OfSpace, summary="Count what there is"),
    Operation(method="GET", path="/agent/feed/events", handler=events, summary="List events; there are none"),
)
