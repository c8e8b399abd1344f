"""`/pmem list`: the topics."""

from __future__ import annotations

from anyio import to_thread

from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Return every topic, the one changed last at the end."""
    del arguments
    found = await to_thread.run_sync(extraction.store.topics)
    topics = sorted(found, key=lambda topic: (topic.updated, topic.name))
    lines = [f"{one.name}: {one.broken or one.description or one.title}" for one in topics]
    data = [{"name": one.name, "title": one.title, "description": one.description} for one in topics]
    return Reply("\n".join(lines) or "This project's memory is empty.", {"topics": data})
