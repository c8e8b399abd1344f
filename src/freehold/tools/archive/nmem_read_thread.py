"""nmem_read_thread: a past conversation, or one memory, about 8,000 characters at a time."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from freehold.archive import reading
from freehold.archive.archive import Archive
from freehold.archive.client import ArchiveClient
from freehold.archive.reading import Part, Window
from freehold.archive.schemas import Message
from freehold.errors import UsageError
from freehold.tools.archive.conversation import counted, headed, line, moment
from freehold.tools.archive.nmem_search import memory_data
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class NmemReadThread(Arguments, frozen=True):
    """Which, and from where on."""

    thread_id: Annotated[str, msgspec.Meta(description="Or a memory's id", min_length=1)]
    offset: Annotated[int, msgspec.Meta(ge=0, description="First message, from 0")] = 0
    from_char: Annotated[int, msgspec.Meta(ge=0, description="Within that message")] = 0


async def run(archive: Archive, arguments: NmemReadThread) -> ToolResult:
    """Read a window of the thread; of a memory where there is no thread of that id."""
    client = await archive.client()
    try:
        window = await reading.window(
            client, arguments.thread_id, offset=arguments.offset, from_char=arguments.from_char
        )
    except UsageError as error:
        if error.code != "not_found":
            raise
        return await _memory(client, arguments, error)
    return _window(window, arguments)


def _window(window: Window, arguments: NmemReadThread) -> ToolResult:
    thread = window.thread
    after: dict[str, int] = {}
    if window.next_offset is not None:
        after = {"offset": window.next_offset}
        if window.next_char is not None:
            after["from_char"] = window.next_char
    data = {
        "thread_id": thread.id,
        "title": thread.title,
        "source": thread.source,
        "returned": len(window.parts),
        "total": window.total,
        "has_more": bool(after),
        "next": after or None,
        "messages": [_part(part) for part in window.parts],
    }
    head = line(thread.title, thread.source, thread.project, moment(thread.date), counted(window.total, "message"))
    if not window.parts:
        where = f"none from offset {arguments.offset} on; begin at offset=0" if window.total else "it is empty"
        return ToolResult(f"{head}\nNo message: {where}.", data=data)
    return ToolResult(f"{head}\n{headed(window.parts)}\n{_next(after)}", data=data)


def _next(after: dict[str, int]) -> str:
    if not after:
        return "That is all of it."
    return f"More: {', '.join(f'{name}={value}' for name, value in after.items())}."


def _part(part: Part) -> dict[str, Any]:
    message = part.message
    place = {"from_char": part.start, "length": part.length} if part.cut or part.start else {}
    return {"index": message.index, "role": message.role, "content": message.content, "time": message.time, **place}


async def _memory(client: ArchiveClient, arguments: NmemReadThread, missing: UsageError) -> ToolResult:
    try:
        memory = await client.memory(arguments.thread_id)
    except UsageError as error:
        raise missing from error
    start, end = arguments.from_char, arguments.from_char + reading.BUDGET
    message = Message(0, "memory", memory.content[start:end], memory.created_at)
    part = Part(message, start, len(memory.content))
    after = {"from_char": end} if part.cut else {}
    head = line(memory.id, memory.title, memory.unit_type, ", ".join(memory.labels))
    data = {**memory_data(memory), "content": message.content, "has_more": part.cut, "next": after or None}
    return ToolResult(f"{head}\n{headed([part])}\n{_next(after)}", data=data)


TOOL = Tool(
    name="nmem_read_thread",
    description="Read a past conversation, about 8,000 characters a call; it says how to go on.",
    arguments=NmemReadThread,
    handler=run,
    group="archive",
    read_only=True,
)
