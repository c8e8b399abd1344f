"""nmem_list_threads: the past conversations, the newest first."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from freehold.archive.archive import Archive
from freehold.archive.client import ArchiveClient
from freehold.archive.schemas import Page, Thread
from freehold.browser.marks import boundary
from freehold.tools.archive.conversation import counted, line, moment
from freehold.tools.archive.nmem_search import thread_data
from freehold.tools.archive.totals import totals
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool

_SAMPLE = 100


class NmemListThreads(Arguments, frozen=True):
    """Which of them."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 10
    offset: Annotated[int, msgspec.Meta(ge=0)] = 0
    source: Annotated[str, msgspec.Meta(description="Only of this agent, such as pi")] = ""


async def run(archive: Archive, arguments: NmemListThreads) -> ToolResult:
    """List the threads."""
    client = await archive.client()
    found = await client.threads(limit=arguments.limit, offset=arguments.offset, source=arguments.source)
    data: dict[str, Any] = {**totals(found), "threads": [thread_data(one) for one in found.items]}
    if not found.items:
        return ToolResult(await _nothing(client, arguments, found), data=data)
    first, last = arguments.offset + 1, arguments.offset + len(found.items)
    listed = "\n".join(map(_thread, found.items))
    more = f"\nMore: offset={last}." if found.has_more else ""
    return ToolResult(f"Threads {first}-{last} of {found.total:,}.\n{boundary('threads', listed)}{more}", data=data)


async def _nothing(client: ArchiveClient, arguments: NmemListThreads, found: Page[Thread]) -> str:
    """Say why the list is empty: nothing there, too far behind, or nothing of that source."""
    if arguments.offset and (found.total or not arguments.source):
        return f"There is nothing from offset {arguments.offset} on. Begin at offset=0."
    if not arguments.source:
        return "The archive holds no conversations yet. freehold archive import brings past ones in."
    every = await client.threads(limit=_SAMPLE)
    sources = sorted({one.source for one in every.items if one.source})
    there = f"of {line(', '.join(sources))}" if sources else "of any source"
    return f"No thread of that source; there {counted(every.total, 'thread')} {there}. Leave source out, or name one."


def _thread(one: Thread) -> str:
    return f"- {line(one.id, one.title, one.source, moment(one.date), counted(one.messages, 'message'))}"


TOOL = Tool(
    name="nmem_list_threads",
    description="List past conversations, newest first.",
    arguments=NmemListThreads,
    handler=run,
    group="archive",
    read_only=True,
)
