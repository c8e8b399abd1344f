"""`/pmem undo`: taking back what was written by itself."""

from __future__ import annotations

from anyio import to_thread

from freehold.errors import UsageError
from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Undo the write NUMBER, or the last one; raise `not_found`, and `conflict` where a topic was changed since."""
    said = arguments.strip()
    if said and not (said.isascii() and said.isdigit()):
        raise UsageError("invalid_argument", f"{said[:40]!r} is no number. Call: /pmem undo, or /pmem undo NUMBER")
    record = await to_thread.run_sync(extraction.undo, int(said) if said else None)
    names = [change.name for change in record.changes]
    return Reply(f"Took back write {record.number}: {', '.join(names)}.", {"number": record.number, "topics": names})
