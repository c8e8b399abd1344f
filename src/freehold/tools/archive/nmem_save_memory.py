"""nmem_save_memory: a new long-term memory, or a change of one."""

from __future__ import annotations

from typing import Annotated

import msgspec

from freehold.archive.archive import Archive
from freehold.archive.client import Draft, Saved
from freehold.archive.schemas import UnitType
from freehold.browser.marks import one_line
from freehold.errors import UsageError
from freehold.tools.archive.nmem_search import memory_data
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class NmemSaveMemory(Arguments, frozen=True):
    """What to keep."""

    title: str | None = None
    content: str | None = None
    unit_type: UnitType | None = None
    importance: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    labels: list[str] | None = None
    id: Annotated[str | None, msgspec.Meta(description="Memory to change; what is left out stays")] = None


async def run(archive: Archive, arguments: NmemSaveMemory) -> ToolResult:
    """Save the memory; without an id a new one, which needs content."""
    memory_id = (arguments.id or "").strip()
    draft = Draft(
        title=arguments.title,
        content=arguments.content,
        unit_type=arguments.unit_type,
        importance=arguments.importance,
        labels=arguments.labels,
    )
    if draft == Draft():
        raise UsageError("invalid_argument", "nmem_save_memory: say what to save: content, or with id what to change.")
    if not memory_id and not (arguments.content or "").strip():
        raise UsageError("invalid_argument", "nmem_save_memory: a new memory needs content; id names one to change.")
    client = await archive.client()
    saved = await (client.update_memory(memory_id, draft) if memory_id else client.create_memory(draft))
    return _said(saved)


def _said(saved: Saved) -> ToolResult:
    kept = {name: value for name, value in memory_data(saved.memory).items() if name != "content"}
    data = {**kept, "created": saved.created, "warnings": list(saved.warnings)}
    done = "Saved the new memory" if saved.created else "Changed"
    warnings = [one_line(warning) for warning in saved.warnings]
    return ToolResult("\n".join([f"{done} {one_line(saved.memory.id)}.", *warnings]), data=data)


TOOL = Tool(
    name="nmem_save_memory",
    description="Keep or change a lasting memory for all projects: a decision, preference, procedure. Search first.",
    arguments=NmemSaveMemory,
    handler=run,
    group="archive",
)
