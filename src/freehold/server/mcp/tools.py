"""The tools, under the names of nmem's own server: each is an operation of the API with arguments of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from freehold.server.operation import Operation
from freehold.server.routes import context, memories, memory_search, threads, working_memory
from freehold.server.schemas.fields import Limit, Name, Offset, OptionalName
from freehold.server.schemas.memories import MemoryChange, MemorySearch, NewMemory, OfSpace
from freehold.server.schemas.spaces import ContextRead, WorkingMemoryRead
from freehold.server.schemas.threads import ThreadRead, ThreadSearch


class OneMemory(Struct, kw_only=True):
    """A memory by its id."""

    id: Name
    space_id: OptionalName | None = None


class ChangedMemory(MemoryChange, kw_only=True):
    """What to change of the memory `id`."""

    id: Name


class FetchedThread(Struct, kw_only=True):
    """A page of a thread's messages."""

    thread_id: Name
    offset: Offset = 0
    limit: Annotated[Limit, Meta(description="Messages; 20 unless told.")] = 20
    space_id: OptionalName | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    """The arguments of a tool as an operation takes them."""

    query: Any = None
    body: Any = None
    path: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class McpTool:
    """A tool: what it is called, what it takes, and the operation that does it."""

    name: str
    description: str
    arguments: type[Struct]
    operation: Operation
    parts: Callable[[Any], Parts]
    destructive: bool = False


def _operation(found: tuple[Operation, ...], method: str, path: str) -> Operation:
    return next(each for each in found if (each.method, each.path) == (method, path))


def _body(arguments: Any) -> Parts:
    return Parts(body=arguments)


def _query(arguments: Any) -> Parts:
    return Parts(query=arguments)


def _memory(arguments: OneMemory) -> Parts:
    return Parts(OfSpace(space_id=arguments.space_id), path={"memory_id": arguments.id})


def _change(arguments: ChangedMemory) -> Parts:
    given = {name: value for name, value in msgspec.structs.asdict(arguments).items() if name != "id"}
    return Parts(OfSpace(space_id=arguments.space_id), MemoryChange(**given), {"memory_id": arguments.id})


def _thread(arguments: FetchedThread) -> Parts:
    query = ThreadRead(limit=arguments.limit, offset=arguments.offset, space_id=arguments.space_id)
    return Parts(query, path={"thread_id": arguments.thread_id})


_ONE = "/memories/{memory_id}"
TOOLS: tuple[McpTool, ...] = (
    McpTool(
        "memory_search",
        "Search long-term memories: decisions, preferences, facts. Any word may match; the best come first.",
        MemorySearch,
        _operation(memory_search.OPERATIONS, "POST", "/memories/search"),
        _body,
    ),
    McpTool(
        "memory_add",
        "Keep a memory. With the id of one that is there it is updated.",
        NewMemory,
        _operation(memories.OPERATIONS, "POST", "/memories"),
        _body,
    ),
    McpTool(
        "memory_update",
        "Change a memory; labels replace those it has.",
        ChangedMemory,
        _operation(memories.OPERATIONS, "PATCH", _ONE),
        _change,
    ),
    McpTool(
        "memory_delete", "Delete a memory.", OneMemory, _operation(memories.OPERATIONS, "DELETE", _ONE), _memory, True
    ),
    McpTool(
        "get_memory_by_id", "Read a memory whole.", OneMemory, _operation(memories.OPERATIONS, "GET", _ONE), _memory
    ),
    McpTool(
        "thread_search",
        "Search past conversations; returns threads with the messages that matched.",
        ThreadSearch,
        _operation(threads.OPERATIONS, "GET", "/threads/search"),
        _query,
    ),
    McpTool(
        "thread_fetch_messages",
        "Read a page of a past conversation.",
        FetchedThread,
        _operation(threads.OPERATIONS, "GET", "/threads/{thread_id}"),
        _thread,
    ),
    McpTool(
        "read_context_bundle",
        "Read what an agent should know at its start.",
        ContextRead,
        _operation(context.OPERATIONS, "GET", "/context/bundle"),
        _query,
    ),
    McpTool(
        "read_working_memory",
        "Read what matters now.",
        WorkingMemoryRead,
        _operation(working_memory.OPERATIONS, "GET", "/agent/working-memory"),
        _query,
    ),
)
