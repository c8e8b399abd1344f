"""`/pmem save`: a note by hand."""

from __future__ import annotations

from functools import partial

from anyio import to_thread

from freehold.errors import UsageError
from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Save `TITLE: TEXT` as a new topic; raise what `Store.save` does."""
    title, body = _parts(arguments)
    saved = await to_thread.run_sync(partial(extraction.store.save, title, body, source="user"))
    data = {"name": saved.name, "created": saved.created, "duplicate_of": saved.duplicate_of, "path": str(saved.path)}
    if saved.duplicate_of:
        return Reply(f"Nothing was written: {saved.duplicate_of} says the same already.", data)
    return Reply("\n".join([f"Saved {saved.name}.", *saved.warnings]), data)


def _parts(arguments: str) -> tuple[str, str]:
    line, _, rest = arguments.strip().partition("\n")
    title, colon, said = line.partition(":")
    if not (colon or rest) or not title.strip() or not (said + rest).strip():
        raise UsageError("invalid_argument", "Say what to keep, such as: /pmem save Ports: The web server is on 8080.")
    body = "\n".join(part for part in (said.strip(), rest.strip("\n")) if part)
    return title.strip(), f"{body}\n"
