"""`/pmem on`: from now on memory writes itself."""

from __future__ import annotations

from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Turn the extraction on."""
    del arguments
    extraction.turn(on=True)
    told = f"What settles from now on is worked through by {extraction.settings.extract_model}. Undo: /pmem undo"
    return Reply(told, {"autoExtract": True})
