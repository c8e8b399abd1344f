"""`/pmem off`: memory no longer writes itself."""

from __future__ import annotations

from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Turn the extraction off."""
    del arguments
    extraction.turn(on=False)
    return Reply("Memory no longer writes itself. What waits stays until you turn it on again.", {"autoExtract": False})
