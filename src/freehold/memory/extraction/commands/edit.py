"""`/pmem edit`: a topic in the user's hands."""

from __future__ import annotations

from functools import partial

from anyio import to_thread

from freehold.errors import UsageError
from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction
from freehold.memory.topic import parse, render


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Return the topic for an editor: its text, and the revision that `keep` wants back; raise `unknown_topic`."""
    name = arguments.strip()
    if not name:
        raise UsageError("invalid_argument", "Name a topic: /pmem edit NAME. List them: /pmem list")
    topic = await to_thread.run_sync(extraction.store.topic, name)
    path = str(extraction.store.path / f"{topic.name}.md")
    data = {"name": topic.name, "path": path, "text": render(topic), "revision": topic.revision}
    return Reply(f"Edit the file, the next search knows: {path}", {"edit": data})


async def keep(extraction: Extraction, name: str, text: str, revision: str) -> Reply:
    """Write what came back from the editor; raise what `Store.save` does, `conflict` where it was changed meanwhile."""
    told = parse(name, text)
    if told.broken:
        raise UsageError("invalid_argument", f"{name}: {told.broken}. Nothing was written; mend it, then save again.")
    save = partial(
        extraction.store.save,
        told.title,
        told.body,
        name=name,
        description=told.description,
        type=told.type,
        source=told.source,
        verified=told.verified,
        expected_revision=revision,
    )
    saved = await to_thread.run_sync(save)
    return Reply(f"Kept {saved.name}.", {"name": saved.name, "revision": saved.revision})
