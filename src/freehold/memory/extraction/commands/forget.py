"""`/pmem forget`: away with a topic."""

from __future__ import annotations

from anyio import to_thread

from freehold.errors import UsageError
from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Move the topic to the trash; raise `unknown_topic`."""
    name = arguments.strip()
    if not name:
        raise UsageError("invalid_argument", "Name a topic: /pmem forget NAME. List them: /pmem list")
    topic = await to_thread.run_sync(extraction.store.topic, name)
    path = await to_thread.run_sync(extraction.store.forget, topic.name)
    told = f"Forgot {topic.name}. To bring it back: freehold memory restore {topic.name}"
    return Reply(told, {"name": topic.name, "path": str(path)})
