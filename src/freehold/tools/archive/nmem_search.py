"""nmem_search: what was kept, or said, about something."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from freehold.archive.archive import Archive
from freehold.archive.schemas import ArchivedMemory, Page, Thread
from freehold.browser.marks import block, boundary, one_line, shown_text
from freehold.tools.archive.conversation import counted, line, moment
from freehold.tools.archive.totals import totals
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool

_CONTENT = 1_500
_SNIPPET = 300
_SNIPPETS = 3


class NmemSearch(Arguments, frozen=True):
    """What is looked for."""

    query: str
    kind: Literal["memories", "threads"] = "memories"
    limit: Annotated[int, msgspec.Meta(ge=1, le=50)] = 10


async def run(archive: Archive, arguments: NmemSearch) -> ToolResult:
    """Search the memories or the conversations, best first."""
    client = await archive.client()
    if arguments.kind == "memories":
        return _memories(await client.search_memories(arguments.query, limit=arguments.limit))
    return _threads(await client.search_threads(arguments.query, limit=arguments.limit))


def _memories(found: Page[ArchivedMemory]) -> ToolResult:
    data = {"kind": "memories", **totals(found), "memories": [memory_data(one) for one in found.items]}
    if not found.items:
        return ToolResult('No memory fits. Try other words, or kind "threads" for what was said.', data=data)
    listed = "\n".join(map(_memory, found.items))
    return ToolResult(f"{_head(found, 'memory', 'memories')}\n{boundary('found', listed)}", data=data)


def _threads(found: Page[Thread]) -> ToolResult:
    data = {"kind": "threads", **totals(found), "threads": [thread_data(one) for one in found.items]}
    if not found.items:
        return ToolResult("No conversation fits. Try other words, or nmem_list_threads.", data=data)
    listed = "\n".join(map(_thread, found.items))
    hint = "Read one: nmem_read_thread(thread_id, offset = the number in brackets)."
    return ToolResult(f"{_head(found, 'thread', 'threads')}\n{boundary('found', listed)}\n{hint}", data=data)


def _head(found: Page[Any], one: str, many: str) -> str:
    shown = f"{len(found.items)} of {'' if found.exact else 'at least '}{found.total:,}"
    more = " Narrow the query, or raise limit." if found.has_more else ""
    return f"{shown} {one if found.total == 1 else many}.{more}"


def _memory(one: ArchivedMemory) -> str:
    about = line(one.id, one.title, one.unit_type, ", ".join(one.labels), one.created_at[:10])
    text = shown_text(block(one.content), _CONTENT)
    whole = f"\n  (whole: nmem_read_thread {one_line(one.id)})" if len(one.content) > _CONTENT else ""
    return f"- {about}\n  {text}{whole}"


def _thread(one: Thread) -> str:
    about = line(one.id, one.title, one.source, moment(one.date), counted(one.messages, "message"))
    hits = [f"  [{hit.index}] {line(hit.role)}: {_words(hit.text)}" for hit in one.snippets[:_SNIPPETS]]
    return "\n".join([f"- {about}", *hits])


def _words(text: str) -> str:
    return shown_text(one_line(text), _SNIPPET)


def memory_data(one: ArchivedMemory) -> dict[str, Any]:
    """Return a memory for machines, its content byte for byte."""
    return {
        "id": one.id,
        "title": one.title,
        "content": one.content,
        "unit_type": one.unit_type,
        "importance": one.importance,
        "labels": list(one.labels),
        "created_at": one.created_at,
        "source_thread": one.source_thread,
    }


def thread_data(one: Thread) -> dict[str, Any]:
    """Return a thread for machines."""
    hits = [{"index": hit.index, "role": hit.role, "text": hit.text} for hit in one.snippets[:_SNIPPETS]]
    return {
        "thread_id": one.id,
        "title": one.title,
        "source": one.source,
        "date": one.date,
        "messages": one.messages,
        **({"hits": hits} if hits else {}),
    }


TOOL = Tool(
    name="nmem_search",
    description="Search long-term memories, or past conversations (threads); any word may match, best first.",
    arguments=NmemSearch,
    handler=run,
    group="archive",
    read_only=True,
)
