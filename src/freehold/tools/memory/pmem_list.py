"""pmem_list: the topics of the project's memory."""

from __future__ import annotations

from freehold.memory.topic import Topic
from freehold.tools.memory.project_memory import ProjectMemory
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class PmemList(Arguments, frozen=True):
    """No arguments."""


async def run(memory: ProjectMemory, arguments: PmemList) -> ToolResult:
    """List every topic: its name, title and description, and what is wrong with its file."""
    del arguments
    topics = await memory.topics()
    data = {"topics": [{"name": one.name, "title": one.title, "description": one.description} for one in topics]}
    if not topics:
        return ToolResult("This project's memory is empty. pmem_save starts it.", data=data)
    return ToolResult("\n".join(map(_line, topics)), data=data)


def _line(topic: Topic) -> str:
    about = " — ".join(part for part in (topic.title, topic.description) if part)
    return f"{topic.name}: {about}{f' ({topic.broken})' if topic.broken else ''}"


TOOL = Tool(
    name="pmem_list",
    description="List the topics of this project's memory: Markdown notes that the user shares with you.",
    arguments=PmemList,
    handler=run,
    group="memory",
    read_only=True,
)
