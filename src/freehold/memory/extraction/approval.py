"""The user's word on a memory that waited."""

from __future__ import annotations

from freehold.errors import UsageError
from freehold.memory.extraction.checks import note_of
from freehold.memory.extraction.pending import Held
from freehold.memory.extraction.records import Records
from freehold.memory.store import Store


def approve(store: Store, records: Records, number: int) -> tuple[Held, str]:
    """Write the memory `number`; return it and the topic it stands in, empty where the store says the same already.

    It can be undone like every other. Raises `UsageError` (`not_found`), `conflict` that names both versions where the
    topic was changed since it was proposed, and what `Store.save` raises; it waits on then.
    """
    held = records.pending.get(number)
    store.prepare()
    _check_unchanged(store, held)
    changes = store.batch().save(
        [note_of(held.candidate)],
        is_current=lambda: _revision(store, held.candidate.topic) == held.revision,
        ahead=records.journal.ahead(records.now(), "approved"),
    )
    records.pending.remove(number)
    records.log.add(
        records.now(), f"approved {number}: {', '.join(change.name for change in changes) or 'known already'}"
    )
    return held, changes[0].name if changes else ""


def reject(records: Records, number: int) -> Held:
    """Take the memory `number` away unwritten; raise `UsageError` (`not_found`)."""
    held = records.pending.get(number)
    records.pending.remove(number)
    records.log.add(records.now(), f"rejected {number}")
    return held


def _check_unchanged(store: Store, held: Held) -> None:
    there = _revision(store, held.candidate.topic)
    if there != held.revision:
        topic = held.candidate.topic
        message = (
            f'The topic "{topic}" was revision {held.revision} when memory {held.number} was proposed, and is '
            f"{there or 'gone'} now. Nothing was written. Edit the topic yourself (/pmem edit {topic}), "
            f"then: /pmem pending reject {held.number}"
        )
        raise UsageError("conflict", message, {"name": topic, "expected": held.revision, "current": there})


def _revision(store: Store, name: str) -> str:
    if not name:
        return ""
    try:
        return store.revision(name)
    except UsageError:
        return ""
