"""`/pmem show`: one topic, or the index."""

from __future__ import annotations

from anyio import to_thread

from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction
from freehold.memory.topic import render


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Return the topic's file, or without a name what enters a session."""
    name = arguments.strip()
    if not name:
        index = await to_thread.run_sync(extraction.store.block)
        return Reply(index or "This project's memory is empty.", {"index": index})
    topic = await to_thread.run_sync(extraction.store.topic, name)
    return Reply(render(topic), {"name": topic.name, "text": render(topic), "revision": topic.revision})
