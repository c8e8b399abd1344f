"""pmem_save: a new topic, or a new version of one."""

from __future__ import annotations

from typing import Annotated

import msgspec

from freehold.memory.saving import Note
from freehold.tools.memory.project_memory import ProjectMemory
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class PmemSave(Arguments, frozen=True):
    """What to keep."""

    title: str
    body: Annotated[str, msgspec.Meta(description="Markdown")]
    description: Annotated[str, msgspec.Meta(description="One line for the index")] = ""
    name: Annotated[str | None, msgspec.Meta(description="Topic to replace whole; read it first")] = None
    expected_revision: str | None = None


async def run(memory: ProjectMemory, arguments: PmemSave) -> ToolResult:
    """Save the topic and say under which name, or which topic says the same already."""
    note = Note(arguments.title, arguments.body, arguments.name, arguments.description)
    saved = await memory.save(note, arguments.expected_revision)
    data = {
        "name": saved.name,
        "created": saved.created,
        "duplicate_of": saved.duplicate_of,
        "warnings": list(saved.warnings),
        "path": str(saved.path),
    }
    if saved.duplicate_of:
        return ToolResult(f"Nothing was written: {saved.duplicate_of} says the same already.", data=data)
    said = f"{'Saved the new topic' if saved.created else 'Saved'} {saved.name}."
    return ToolResult("\n".join([said, *saved.warnings]), data=data)


TOOL = Tool(
    name="pmem_save",
    description="Keep a lasting fact in the project's memory: a decision, a pitfall, how things are done. No secrets.",
    arguments=PmemSave,
    handler=run,
    group="memory",
)
