"""pmem_search: the sections of the project's memory that answer a query best."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from freehold.memory.recall import Hit
from freehold.model.completer import Completer
from freehold.tools.memory.project_memory import ProjectMemory
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class PmemSearch(Arguments, frozen=True):
    """What is looked for."""

    query: str
    limit: Annotated[int, msgspec.Meta(ge=1, le=50)] = 5


async def run(memory: ProjectMemory, arguments: PmemSearch, completer: Completer | None) -> ToolResult:
    """Rank the topics against the query; each hit with its best section and the lines that match.

    Where there is a model, it puts them in its order.
    """
    plain = await memory.search(arguments.query, limit=arguments.limit)
    found = await memory.reordered(plain, arguments.query, completer)
    recall = found.recall
    data = {
        "hits": [_data(hit) for hit in recall.hits],
        "left_out": [left.name for left in recall.left_out],
        "second_pass": found.used,
    }
    if not recall.hits:
        return ToolResult("Nothing in this project's memory fits. Try other words, or pmem_list.", data=data)
    told = [*map(_hit, recall.hits), *([f"({found.note})"] if found.note else [])]
    return ToolResult("\n\n".join(told), data=data)


def _hit(hit: Hit) -> str:
    head = " > ".join(part for part in (hit.title, hit.section if hit.section != hit.title else "") if part)
    return "\n".join([f"{hit.name}: {head}", *(f"  {line.number}: {line.text}" for line in hit.lines)])


def _data(hit: Hit) -> dict[str, Any]:
    lines = [{"line": line.number, "text": line.text} for line in hit.lines]
    return {"name": hit.name, "title": hit.title, "section": hit.section, "score": hit.score, "lines": lines}


TOOL = Tool(
    name="pmem_search",
    description='Search the memory; any word may match, best first; "phrase", +must, -not.',
    arguments=PmemSearch,
    handler=run,
    group="memory",
    read_only=True,
    uses_model=True,
)
