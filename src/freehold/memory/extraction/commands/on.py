"""`/pmem on`: from now on memory writes itself."""

from __future__ import annotations

from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Turn the extraction on."""
    del arguments
    extraction.turn(on=True)
    # Whether the host has that model is known when it is asked, which can be five prompts later.
    told = (
        f"What settles from now on is worked through by {extraction.settings.extract_model}. Undo: /pmem undo\n"
        'Another model: the setting extractModel ("session" for the conversation\'s). To try it: /pmem extract'
    )
    return Reply(told, {"autoExtract": True})
