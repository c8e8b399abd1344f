"""Saving a topic: what is checked, in which order, and what happens when two write at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from freehold.errors import DeniedError, UsageError
from freehold.memory import files, index, redact, state
from freehold.memory import name as names
from freehold.memory.block import Budget, warning
from freehold.memory.files import ChangedError, Draft, digest
from freehold.memory.fingerprint import fingerprint
from freehold.memory.folder import Folder
from freehold.memory.index_edit import IndexEdit
from freehold.memory.state import State
from freehold.memory.topic import Topic, render

# Also half characters (surrogates), which no encoding can write.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_LONGEST = {"title": 200, "description": 500, "type": 60, "source": 500, "verified": 40}


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be saved: `name` None takes one from the title; fields left empty keep what stands in the topic."""

    title: str
    body: str
    name: str | None = None
    description: str = ""
    type: str = ""
    source: str = ""
    verified: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a `save`.

    `created`: whether a new topic was made. `duplicate_of`: the topic that already says the same, and then nothing was
    written. `warnings`: sentences for the user. `revision`: that of the topic as it stands now.
    """

    name: str
    created: bool
    duplicate_of: str
    warnings: tuple[str, ...]
    path: Path
    revision: str = ""


@dataclass(frozen=True, slots=True)
class Saver:
    """Saves into `folder`; `others` are the folders that are read too, whose facts need no second copy."""

    folder: Folder
    others: tuple[Folder, ...]
    budget: Budget
    now: Callable[[], str]
    store_revision: Callable[[], str]

    def check(self, note: Note, *, allow_secrets: bool) -> None:
        """Refuse a note that cannot be written, before anything is made. Raises as `Store.save` says."""
        cleaned(note)
        if note.name is not None and note.name.removesuffix(".md") not in self.folder.names():
            names.checked(note.name)
        if not allow_secrets:
            refuse_secrets(note)

    def save(self, note: Note, *, expected_revision: str | None) -> Saved:
        """Write `note`, which `check` has let pass. Raises as `Store.save` says."""
        note = cleaned(note)
        with self.folder.writing() as known:
            name = chosen(note.name, known) if note.name is not None else ""
            before = self.folder.topic(name) if name in known.topics else None
            if before is not None:
                self._check_revision(note, before, expected_revision)
                return self._change(note, before, known)
            self._check_new(name, known, expected_revision)
            twin = self._twin(note, known)
            return twin if twin is not None else self._create(note, name, known)

    def _twin(self, note: Note, known: State) -> Saved | None:
        told = fingerprint(note.title, note.body)
        for folder, entries in self._entries(known):
            name = state.saying(told, entries.items())
            if name:
                said = f'The topic "{name}" already says this; nothing was written.'
                return Saved(name, False, name, (said,), folder.path / f"{name}.md", entries[name].revision)
        return None

    def _entries(self, known: State) -> Iterator[tuple[Folder, Mapping[str, state.Entry]]]:
        yield self.folder, known.topics
        for other in self.others:
            yield other, other.look(state.load(other.path))

    def _check_new(self, name: str, known: State, expected: str | None) -> None:
        alike = [taken for taken in known.topics if name and names.folded(taken) == names.folded(name)]
        if alike:
            message = (
                f'"{name}" differs from the topic "{alike[0]}" in case or accents only. Use that name, or another.'
            )
            raise UsageError("name_not_allowed", message, {"name": name, "taken": alike[0]})
        if expected and name and expected != self.store_revision():
            message = (
                f'The topic "{name}" was revision {expected} and is gone now. To make it anew, save it without one.'
            )
            raise UsageError("conflict", message, {"name": name, "expected": expected, "current": ""})

    def _check_revision(self, note: Note, before: Topic, expected: str | None) -> None:
        refuse_protected(before)
        if expected is None or (expected != before.revision and expected != self.store_revision()):
            raise conflict(before, expected, digest(note.body.encode("utf-8", "surrogatepass")))

    def _create(self, note: Note, name: str, known: State) -> Saved:
        warnings: tuple[str, ...] = ()
        if not name:
            wanted = names.proposed(note.title, ())
            name = names.proposed(note.title, known.topics)
            if name != wanted:
                warnings = (f'There is another topic "{wanted}"; this one was kept beside it as "{name}".',)
        now = self.now()
        topic = filled(Topic(name, created=now, updated=now, agent=self.folder.agent), note)
        return self._write(topic, None, known, warnings)

    def _change(self, note: Note, before: Topic, known: State) -> Saved:
        topic = filled(before, note)
        file = self.folder.path / f"{before.name}.md"
        if topic == before:
            return Saved(before.name, False, before.name, ("Nothing was different.",), file, before.revision)
        topic = replace(topic, updated=self.now())
        return self._write(topic, before, known, ())

    def _write(self, topic: Topic, before: Topic | None, known: State, warnings: tuple[str, ...]) -> Saved:
        file = self.folder.path / f"{topic.name}.md"
        with IndexEdit(self.folder, known, lambda text: index.with_topic(text, topic, before)) as edit:
            draft = Draft(file, _bytes(topic))
            try:
                draft.create() if before is None else draft.replace(_bytes(before))
            except ChangedError as error:
                there = self.folder.topic(topic.name) or topic
                raise conflict(there, before.revision if before else None, topic.revision) from error
            more = (_applied(edit), warning(edit.text, self.budget))
        told = (*warnings, *(sentence for sentence in more if sentence))
        return Saved(topic.name, before is None, "", told, file, topic.revision)


def chosen(name: str, known: State) -> str:
    """Return the name that is meant: that of a file as it stands, else one that may be given to a new topic."""
    bare = name.removesuffix(".md")
    return bare if bare in known.topics else names.checked(name)


def refuse_secrets(note: Note) -> None:
    """Raise `DeniedError` (`secret_found`) where any part of `note` holds a secret; it is not repeated."""
    parts = {"name": note.name or "", "title": note.title, "description": note.description, "type": note.type}
    parts |= {"source": note.source, "verified": note.verified, "body": note.body}
    found = [(where, secret) for where, text in parts.items() for secret in redact.find_secrets(text)]
    if not found:
        return
    where, secret = found[0]
    place = f"line {secret.line} of the body" if where == "body" else f"the {where}"
    message = (
        f"There seems to be a secret ({secret.kind}) in {place}; nothing was written. Say where it is kept instead, "
        "or let the user allow it: freehold memory save --allow-secrets"
    )
    told = [{"where": where, "line": secret.line, "kind": secret.kind} for where, secret in found]
    raise DeniedError("secret_found", message, {"secrets": told})


def refuse_protected(topic: Topic) -> None:
    """Raise `DeniedError` (`topic_protected`) where `topic` is a person's own file."""
    if not topic.protected:
        return
    why = topic.broken or "it has no front matter"
    message = (
        f"{topic.name}.md was written or changed by hand ({why}) and is never overwritten. "
        "Edit the file itself, or save under another name."
    )
    raise DeniedError("topic_protected", message, {"name": topic.name, "why": why})


def conflict(there: Topic, expected: str | None, yours: str) -> UsageError:
    """Return the error of a write that would undo another's: it names both versions."""
    meant = f"you have read {expected}" if expected else "you have not said which one you read"
    message = (
        f'The topic "{there.name}" is at revision {there.revision}, and {meant}; yours ({yours}) was not written. '
        f"Read it again, join both, and save with expected_revision={there.revision}, or save under another name."
    )
    data = {"name": there.name, "expected": expected or "", "current": there.revision, "yours": yours}
    return UsageError("conflict", message, data)


def _applied(edit: IndexEdit) -> str:
    """Apply the edit; return what to say where only the topic could be written."""
    try:
        edit.apply()
        return ""
    except (OSError, UsageError) as error:
        return f"The topic is saved, but MEMORY.md is not up to date ({error}). Run: freehold memory reindex"


def _bytes(topic: Topic) -> bytes:
    return render(topic).encode()


def filled(topic: Topic, note: Note) -> Topic:
    """Return `topic` as `note` wants it; what the note leaves empty stays."""
    given = {key: value for key in _LONGEST if (value := getattr(note, key))}
    return replace(topic, **given, body=note.body)


def cleaned(note: Note) -> Note:
    """Return `note` as it can be written, or raise `UsageError` (`invalid_argument`)."""
    fields = {key: " ".join(getattr(note, key).split()) for key in _LONGEST}
    for key, text in {**fields, "body": note.body}.items():
        _check_characters(key, text)
    too_long = [key for key, most in _LONGEST.items() if len(fields[key]) > most]
    if too_long or not fields["title"] or not note.body.strip():
        wrong = f"the {too_long[0]} is longer than {_LONGEST[too_long[0]]} characters" if too_long else ""
        wrong = wrong or ("the body is empty" if fields["title"] else "the title is empty")
        raise UsageError("invalid_argument", f"A topic needs a title of one line and a Markdown body: {wrong}.")
    # A line appended by a shell must not join the last one.
    body = note.body if note.body.endswith("\n") else f"{note.body}\n"
    if len(body.encode()) > files.MAX_BYTES // 2:
        message = f"The body is larger than {files.MAX_BYTES // 2:,} bytes. Save it as several topics."
        raise UsageError("invalid_argument", message)
    return replace(note, **fields, body=body)


def _check_characters(key: str, text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        found = _CONTROL.search(line)
        if found:
            message = (
                f"Line {number} of the {key} has a control character (U+{ord(found[0]):04X}) in it. Save it without."
            )
            raise UsageError("invalid_argument", message, {"line": number})
