"""`/pmem search`: what the memory says about something."""

from __future__ import annotations

from functools import partial

from anyio import to_thread

from freehold.memory import search as searching
from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction
from freehold.memory.recall import Hit

_MOST = 10


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Return the topics that fit, best first."""
    find = partial(searching.search, extraction.store, arguments, limit=_MOST, cache=extraction.cache)
    found = await to_thread.run_sync(find)
    data = [{"name": hit.name, "title": hit.title, "section": hit.section, "score": hit.score} for hit in found.hits]
    return Reply("\n".join(map(_hit, found.hits)) or "Nothing fits. Try other words, or: /pmem list", {"hits": data})


def _hit(hit: Hit) -> str:
    return "\n".join([f"{hit.name}: {hit.title}", *(f"  {line.number}: {line.text}" for line in hit.lines)])
