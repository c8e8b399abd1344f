"""`/pmem path`: where the memory lies."""

from __future__ import annotations

from anyio import to_thread

from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Return the folder, or the file of a topic; raise `unknown_topic`."""
    name = arguments.strip()
    folder = extraction.store.path
    path = folder / f"{(await to_thread.run_sync(extraction.store.topic, name)).name}.md" if name else folder
    return Reply(str(path), {"path": str(path)})
