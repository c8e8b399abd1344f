"""`/pmem extract`: a pass now."""

from __future__ import annotations

import msgspec

from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Work through what has settled, also while the extraction is off."""
    del arguments
    outcome = await extraction.extract()
    return Reply(outcome.line(), msgspec.to_builtins(outcome))
