"""What is checked of a model's answer before anything of it is written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from freehold.errors import FreeholdError
from freehold.memory import saving
from freehold.memory.extraction.candidate import MOST, AnswerRefusedError, Candidate
from freehold.memory.extraction.conversation import Conversation
from freehold.memory.extraction.provenance import held_because
from freehold.memory.extraction.view import View
from freehold.memory.redact import redact
from freehold.memory.saving import Note
from freehold.memory.topic import Topic

SOURCE = "extraction"

# Words that speak to a model instead of about the project: quoted instructions, whoever they are from.
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|preceding|system|all|other)\b"
    r"[^.\n]{0,40}\b(?:instruction|rule|prompt|message|guideline|direction)"
    r"|\byou are (?:now|no longer)\b|\bfrom now on,? (?:you|the assistant|the agent)\b"
    r"|\b(?:system|developer) (?:prompt|message)\s*:"
    r"|<\s*/?\s*(?:system|assistant|user|tool|instructions?|rules|function_calls?)\b[^>]*>"
    r"|\[/?INST\]|<\|[a-z_]+\|>|^\s*(?:system|assistant|human)\s*:\s",
    re.IGNORECASE | re.MULTILINE,
)
# Joiners are part of words in Persian and of emoji; every other invisible character hides something.
_JOINERS = frozenset("\u200c\u200d\u00ad")


@dataclass(slots=True)
class Checked:
    """Candidates that may be written, those that wait for the user (with why), and why others were dropped."""

    free: list[Candidate] = field(default_factory=list[Candidate])
    held: list[tuple[Candidate, str]] = field(default_factory=list[tuple[Candidate, str]])
    dropped: list[str] = field(default_factory=list[str])


def checked(candidates: Sequence[Candidate], conversation: Conversation, view: View) -> Checked:
    """Sort `candidates`; raise `AnswerRefusedError` where the answer as a whole is not to be trusted."""
    if len(candidates) > MOST:
        raise AnswerRefusedError(f"it proposes {len(candidates)} memories, more than {MOST}")
    sorted_ = Checked()
    for candidate in map(_cleaned, candidates):
        _check_shape(candidate, conversation, view)
        if why := _quoted(candidate):
            sorted_.dropped.append(f'"{candidate.title[:60]}": {why}')
            continue
        before = _said(view.topics[candidate.topic]) if candidate.topic else ""
        why = held_because(candidate, conversation, before)
        if why:
            sorted_.held.append((candidate, why))
        else:
            sorted_.free.append(candidate)
    changed = [one.topic for one in (*sorted_.free, *(held for held, _ in sorted_.held)) if one.topic]
    if len(changed) != len(set(changed)):
        raise AnswerRefusedError("it changes one topic twice")
    return sorted_


def note_of(candidate: Candidate) -> Note:
    """Return what is saved of `candidate`."""
    return Note(
        candidate.title, candidate.body, candidate.topic or None, description=candidate.description, source=SOURCE
    )


def _said(topic: Topic) -> str:
    return f"{topic.title}\n{topic.description}\n{topic.body}"


def _cleaned(candidate: Candidate) -> Candidate:
    """Return `candidate` without secrets, as the disk may have it."""
    return msgspec.structs.replace(
        candidate,
        title=redact(candidate.title),
        description=redact(candidate.description),
        body=redact(candidate.body),
        topic=candidate.topic.removesuffix(".md"),
    )


def _check_shape(candidate: Candidate, conversation: Conversation, view: View) -> None:
    if candidate.topic and candidate.topic not in view.topics:
        raise AnswerRefusedError(f'it names an unknown topic, "{candidate.topic[:80]}"')
    if candidate.topic in view.fixed:
        raise AnswerRefusedError(f'it changes the topic "{candidate.topic}", which is read-only')
    numbers = {part.number for part in conversation.parts}
    if not set(candidate.evidence) <= numbers:
        raise AnswerRefusedError("it rests on entries that do not exist")
    try:
        saving.cleaned(note_of(candidate))
        saving.refuse_secrets(note_of(candidate))
    except FreeholdError as error:
        raise AnswerRefusedError(error.message) from error


def _quoted(candidate: Candidate) -> str:
    said = f"{candidate.title}\n{candidate.description}\n{candidate.body}"
    if _INSTRUCTION.search(said):
        return "it speaks to a model, as an instruction"
    if any(unicodedata.category(char) in {"Cf", "Co", "Cn"} and char not in _JOINERS for char in said):
        return "it has invisible characters in it"
    return ""
