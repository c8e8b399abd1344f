"""Writing what has been checked: into the store all at once, and what must wait beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freehold.errors import UsageError
from freehold.memory.extraction.candidate import Candidate
from freehold.memory.extraction.checks import Checked, note_of
from freehold.memory.extraction.conversation import Conversation
from freehold.memory.extraction.records import Records
from freehold.memory.extraction.view import View
from freehold.memory.store import Store


class StoreChangedError(Exception):
    """Somebody wrote to the store since it was read; nothing was written."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of candidates: the topics written, the numbers of those that wait, and of the journal's record."""

    wrote: tuple[str, ...] = ()
    held: tuple[int, ...] = ()
    dropped: tuple[str, ...] = ()
    number: int = 0


def keep(
    store: Store, records: Records, found: Checked, view: View, said: Conversation, *, jobs: Sequence[str], model: str
) -> Kept:
    """Write what is free, where the store is as `view` saw it, and hold the rest for the user.

    Raises `StoreChangedError`, and what `Store.save` does; nothing is written then.
    """
    wrote, number = (), 0
    if store.revision() != view.revision:
        raise StoreChangedError
    if found.free:
        store.prepare()
        ahead = records.journal.ahead(records.now(), "pass", jobs=jobs, model=model)
        notes = [note_of(candidate) for candidate in found.free]
        try:
            changes = store.batch().save(notes, is_current=lambda: store.revision() == view.revision, ahead=ahead)
        except UsageError as error:
            if error.code == "conflict":
                raise StoreChangedError from error
            raise
        wrote = tuple(change.name for change in changes)
        number = records.journal.number_of(changes) if changes else 0
    held = [_hold(records, candidate, why, view, said) for candidate, why in found.held]
    return Kept(wrote, tuple(number for number in held if number), tuple(found.dropped), number)


def _hold(records: Records, candidate: Candidate, why: str, view: View, said: Conversation) -> int:
    cited = [part for part in said.parts if part.number in candidate.evidence]
    sources = [f"{part.tool or part.role}: {' '.join(part.text.split())[:200]}" for part in cited]
    revision = view.topics[candidate.topic].revision if candidate.topic else ""
    held = records.pending.add(candidate, why=why, when=records.now(), sources=sources, revision=revision)
    return held.number if held else 0
