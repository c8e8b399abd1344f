"""Several topics changed at once: all of them or none, whoever else writes and wherever it ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import msgspec

from freehold.errors import DeniedError, UsageError
from freehold.memory import files, index, state, trash
from freehold.memory import name as names
from freehold.memory.files import ChangedError, Draft
from freehold.memory.fingerprint import fingerprint
from freehold.memory.folder import TRASH, Folder
from freehold.memory.index_edit import IndexEdit
from freehold.memory.saving import Note, cleaned, filled, refuse_protected, refuse_secrets
from freehold.memory.state import State
from freehold.memory.topic import Topic, parse, render


class Change(msgspec.Struct, frozen=True):
    """What happens to the file of the topic `name`: its whole text before and after, None where there is none."""

    name: str
    before: str | None
    after: str | None

    def reversed(self) -> Change:
        """Return the change that undoes this one."""
        return Change(self.name, self.after, self.before)


Ahead = Callable[[Sequence[Change]], AbstractContextManager[None]]
"""Entered with what is about to be written, before the first byte of it, and left when all of it or none is."""


class Batch:
    """Writes into `folder`; `others` are the folders that are read too. `now` gives ISO 8601, UTC."""

    def __init__(self, folder: Folder, others: Sequence[Folder], now: Callable[[], str]) -> None:
        self._folder = folder
        self._others = others
        self._now = now

    def save(self, notes: Sequence[Note], *, is_current: Callable[[], bool], ahead: Ahead) -> list[Change]:
        """Write `notes`; those that say what stands there already are left out.

        `is_current`: asked within the lock whether the store is still what the notes were made from. Raises what
        `Store.save` does, `UsageError` (`conflict`) where it is not; nothing is written then.
        """
        with self._folder.writing() as known:
            if not is_current():
                message = "The store has changed since it was read; nothing was written. Read it again."
                raise UsageError("conflict", message, {"name": ""})
            changes = self._planned(notes, known)
            self._write(changes, known, ahead)
        return changes

    def apply(self, changes: Sequence[Change], *, ahead: Ahead) -> None:
        """Write `changes` where every file still says what it did before them.

        Raises `UsageError` (`conflict`) that names both versions where one does not; nothing is written then.
        """
        with self._folder.writing() as known:
            for change in changes:
                self._check(change)
            self._write(changes, known, ahead)

    def complete(self, changes: Sequence[Change]) -> bool:
        """Put right what a kill left half written: all of it, or nothing where somebody has changed a file since.

        Tells which of the two it was.
        """
        with self._folder.writing() as known:
            there = [self._text(change.name) for change in changes]
            whole = all(text in {one.before, one.after} for text, one in zip(there, changes, strict=True))
            wanted = changes if whole else [change.reversed() for change in changes]
            left = [one for text, one in zip(there, wanted, strict=True) if text == one.before != one.after]
            for change in left:
                self._put(change)
            told = wanted if whole else left
            with IndexEdit(self._folder, known, lambda text: _indexed(text, told)) as edit:
                edit.apply()
        return whole

    def _planned(self, notes: Sequence[Note], known: State) -> list[Change]:
        changes: list[Change] = []
        taken = set(known.topics)
        for note in map(cleaned, notes):
            refuse_secrets(note)
            planned = self._changed(note, known) if note.name else self._created(note, known, taken)
            if planned is not None:
                taken.add(planned.name)
                changes.append(planned)
        return changes

    def _changed(self, note: Note, known: State) -> Change | None:
        name = (note.name or "").removesuffix(".md")
        before = self._folder.topic(name) if name in known.topics else None
        if before is None:
            raise trash.unknown(names.checked(name))
        refuse_protected(before)
        topic = filled(before, note)
        return None if topic == before else _change(before, replace(topic, updated=self._now()))

    def _created(self, note: Note, known: State, taken: set[str]) -> Change | None:
        told = fingerprint(note.title, note.body)
        known_elsewhere = (other.look(state.load(other.path)) for other in self._others)
        if any(state.saying(told, entries.items()) for entries in (known.topics, *known_elsewhere)):
            return None
        now = self._now()
        topic = Topic(names.proposed(note.title, taken), created=now, updated=now, agent=self._folder.agent)
        return _change(None, filled(topic, note))

    def _write(self, changes: Sequence[Change], known: State, ahead: Ahead) -> None:
        if not changes:
            return
        done: list[Change] = []
        with ahead(changes), IndexEdit(self._folder, known, lambda text: _indexed(text, changes)) as edit:
            try:
                for change in changes:
                    self._put(change)
                    done.append(change)
                edit.apply()
            except BaseException:
                for change in reversed(done):
                    self._put(change.reversed())
                raise

    def _put(self, change: Change) -> None:
        file = self._folder.path / f"{change.name}.md"
        try:
            if change.after is None:
                self._throw_away(change)
            elif change.before is None:
                Draft(file, _bytes(change.after)).create()
            else:
                Draft(file, _bytes(change.after)).replace(_bytes(change.before))
        except ChangedError as error:
            raise self._conflict(change) from error

    def _throw_away(self, change: Change) -> None:
        if self._text(change.name) != change.before:
            raise ChangedError(change.name)
        bin_folder = self._folder.path / TRASH
        files.plain_folder(bin_folder)
        target = trash.free(bin_folder, change.name, re.sub(r"[-:]", "", self._now()))
        (self._folder.path / f"{change.name}.md").rename(target)
        files.sync_folder(self._folder.path)

    def _check(self, change: Change) -> None:
        if self._text(change.name) != change.before:
            raise self._conflict(change)

    def _conflict(self, change: Change) -> UsageError:
        there, expected = _revision(self._text(change.name)), _revision(change.before)
        message = (
            f'The topic "{change.name}" is {there} now, and was to be {expected}: it was changed since. '
            "Nothing was written; both versions stand, one in the store and one in the journal."
        )
        return UsageError("conflict", message, {"name": change.name, "expected": expected, "current": there})

    def _text(self, name: str) -> str | None:
        try:
            data = files.read(self._folder.path / f"{name}.md")
        except DeniedError:
            return "\0 a link stands in its place"
        return None if data is None else data.decode("utf-8", "surrogateescape")


def _change(before: Topic | None, after: Topic) -> Change:
    return Change(after.name, None if before is None else render(before), render(after))


def _indexed(text: str, changes: Sequence[Change]) -> str:
    for change in changes:
        if change.after is None:
            text = index.without_topic(text, change.name)[0]
        else:
            before = None if change.before is None else parse(change.name, change.before)
            text = index.with_topic(text, parse(change.name, change.after), before)
    return text


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _revision(text: str | None) -> str:
    return "gone" if text is None else f"revision {files.digest(_bytes(text))}"
