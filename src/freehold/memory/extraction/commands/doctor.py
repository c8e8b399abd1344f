"""`/pmem doctor`: what in the memory would mislead its reader."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

from anyio import to_thread

from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Return the findings, each with the command that mends it."""
    del arguments
    from freehold.memory.doctor import examine  # noqa: PLC0415 - rapidfuzz and its kin take 0.02 s to import

    findings = await to_thread.run_sync(partial(examine, extraction.store, cache=extraction.cache))
    lines = [f"{one.state}: {one.where}: {one.detail} Mend it: {one.mend}" for one in findings]
    return Reply(
        "\n".join(lines) or "Nothing is wrong with this memory.", {"findings": [asdict(one) for one in findings]}
    )
