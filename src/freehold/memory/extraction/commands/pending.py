"""`/pmem pending`: what waits for the user's word, and the word."""

from __future__ import annotations

from functools import partial

import msgspec
from anyio import to_thread

from freehold.errors import UsageError
from freehold.memory.extraction import approval
from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction
from freehold.memory.extraction.pending import Held

_USAGE = "Call: /pmem pending, /pmem pending NUMBER, /pmem pending approve NUMBER, /pmem pending reject NUMBER"


async def run(extraction: Extraction, arguments: str) -> Reply:
    """List what waits, show one whole, `approve` or `reject` it. Raises `not_found`, and `conflict` for an approval."""
    words = arguments.split()
    if not words:
        return await _list(extraction)
    verb, number = ("show", words[0]) if len(words) == 1 else (words[0], words[1])
    if verb not in {"show", "approve", "reject"} or len(words) > 2 or not number.isascii() or not number.isdigit():
        raise UsageError("invalid_argument", f"/pmem pending does not know {arguments.strip()[:60]!r}. {_USAGE}")
    verbs = {"show": _show, "approve": _approve, "reject": _reject}
    return await to_thread.run_sync(partial(verbs[verb], extraction, int(number)))


async def _list(extraction: Extraction) -> Reply:
    waiting = await to_thread.run_sync(extraction.records.pending.all)
    lines = [f"{held.number}. {held.candidate.title} \u2014 {held.why}" for held in waiting]
    lines += [_USAGE] if waiting else ["Nothing waits for your approval."]
    return Reply("\n".join(lines), {"pending": [msgspec.to_builtins(held) for held in waiting]})


def _show(extraction: Extraction, number: int) -> Reply:
    held = extraction.records.pending.get(number)
    return Reply(_whole(held), {"pending": [msgspec.to_builtins(held)]})


def _whole(held: Held) -> str:
    one = held.candidate
    goes = f"replaces the topic {one.topic}" if one.topic else "a new topic"
    sources = [f"  {source}" for source in held.sources]
    return "\n".join([
        f"{held.number}. {one.title} ({goes}; it waits, since {held.why})", "", one.body.rstrip(), "",
        "It rests on:", *sources, "", f"/pmem pending approve {held.number}, or reject {held.number}",
    ])  # fmt: skip


def _approve(extraction: Extraction, number: int) -> Reply:
    held, name = approval.approve(extraction.store, extraction.records, number)
    told = f"Kept as {name}. To take it back: /pmem undo" if name else "The memory says the same already."
    return Reply(told, {"number": held.number, "name": name})


def _reject(extraction: Extraction, number: int) -> Reply:
    held = approval.reject(extraction.records, number)
    return Reply(f'Dropped {number}, "{held.candidate.title}".', {"number": number})
