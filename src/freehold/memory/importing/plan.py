"""What an import would do, and doing it: nothing in the source is changed, and nothing here is overwritten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from freehold.errors import FreeholdError
from freehold.memory import name as names
from freehold.memory.importing.note import Note
from freehold.memory.redact import find_secrets
from freehold.memory.store import Store
from freehold.memory.topic import Topic

Action = Literal["new", "same", "renamed", "secret", "empty"]


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of a note: `name` is the topic's; `why` says more where it is not simply new."""

    note: Note
    action: Action
    name: str
    why: str = ""

    @property
    def writes(self) -> bool:
        """Whether a topic is made."""
        return self.action in {"new", "renamed"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a step: the topic's `name`, and why nothing was written, if so."""

    step: Step
    name: str
    skipped: str = ""


def plan(store: Store, notes: Iterable[Note]) -> list[Step]:
    """Decide for each note; looks only."""
    known = {names.folded(topic.name): topic for topic in store.topics()}
    taken = [topic.name for topic in known.values()]
    steps: list[Step] = []
    for note in notes:
        step = _step(note, known, taken)
        taken.append(step.name)
        steps.append(step)
    return steps


def carry_out(store: Store, steps: Iterable[Step]) -> list[Outcome]:
    """Save what is to be saved; a note that the store refuses is told and the others go on."""
    return [_carry_out(store, step) for step in steps]


def _step(note: Note, known: dict[str, Topic], taken: list[str]) -> Step:
    wanted = _wanted(note, [])
    if not note.body.strip():
        return Step(note, "empty", wanted, "it says nothing")
    if found := [*find_secrets(note.title), *find_secrets(note.description), *find_secrets(note.body)]:
        return Step(note, "secret", wanted, f"line {found[0].line} holds a secret ({found[0].kind})")
    for topic in known.values():
        if _plain(topic.body) == _plain(note.body):
            return Step(note, "same", topic.name, f"{topic.name} says the same")
    name = _wanted(note, taken)
    return Step(note, "renamed" if name != wanted else "new", name, f"{wanted} is taken" if name != wanted else "")


def _carry_out(store: Store, step: Step) -> Outcome:
    if not step.writes:
        return Outcome(step, step.name, step.why)
    note = step.note
    source = f"{note.label}: {note.origin.name}" if note.label else note.origin.name
    try:
        saved = store.save(
            note.title, note.body, name=step.name, description=note.description, type=note.type, source=source
        )
    except FreeholdError as error:
        return Outcome(step, step.name, error.message)
    return Outcome(step, saved.name, f"{saved.duplicate_of} says the same" if saved.duplicate_of else "")


def _wanted(note: Note, taken: list[str]) -> str:
    return names.proposed(note.name.replace("_", " ") or note.title, taken)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
