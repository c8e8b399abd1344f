"""pmem_read: one topic, whole."""

from __future__ import annotations

from freehold.tools.memory.project_memory import ProjectMemory
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class PmemRead(Arguments, frozen=True):
    """Which topic."""

    name: str


async def run(memory: ProjectMemory, arguments: PmemRead) -> ToolResult:
    """Return the topic's file as it is, and its revision for a later save."""
    topic, text = await memory.read(arguments.name)
    data = {"name": topic.name, "title": topic.title, "revision": topic.revision, "text": text}
    return ToolResult(f"{text.rstrip()}\n\n(revision {topic.revision})", data=data)


TOOL = Tool(
    name="pmem_read",
    description="Read one topic of the memory, whole.",
    arguments=PmemRead,
    handler=run,
    group="memory",
    read_only=True,
)
