"""What was written by itself: noted before the first byte, so that a kill leaves nothing half done; can be undone."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec

from freehold.errors import UsageError
from freehold.memory.batch import Ahead, Batch, Change
from freehold.memory.extraction import json_file

KEPT = 300
"""Records that are kept; older ones can no longer be undone."""

Kind = Literal["pass", "approved"]
State = Literal["begun", "written", "undoing", "undone", "abandoned"]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One write.

    `state`: "begun" before the first byte, "written", "undoing" and "undone" by the user, "abandoned" where a kill
    and somebody else's change came together. `jobs`: what it came from. `kind`: a pass, or the user's approval.
    """

    number: int
    when: str
    changes: tuple[Change, ...]
    kind: Kind = "pass"
    state: State = "begun"
    jobs: tuple[str, ...] = ()
    model: str = ""


class Journal:
    """The records of one store, in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def records(self) -> list[Record]:
        """Return every record, the oldest first."""
        found = (json_file.load(file, Record) for file in json_file.listed(self._folder))
        return [record for record in found if record is not None]

    def jobs(self) -> frozenset[str]:
        """Return the jobs whose memories were written, also where they were undone since."""
        return frozenset(job for record in self.records() if record.state != "begun" for job in record.jobs)

    def number_of(self, changes: Sequence[Change]) -> int:
        """Return the number of the record that made `changes`, 0 where it is gone."""
        told = tuple(changes)
        return next((record.number for record in reversed(self.records()) if record.changes == told), 0)

    def ahead(self, when: str, kind: Kind, *, jobs: Sequence[str] = (), model: str = "") -> Ahead:
        """Return what `Batch` enters before it writes; the record of a write that fails is taken away."""

        @contextmanager
        def noted(changes: Sequence[Change]) -> Generator[None]:
            record = Record(
                number=self._next(), when=when, changes=tuple(changes), kind=kind, jobs=tuple(jobs), model=model
            )
            self._save(record)
            try:
                yield
            except BaseException:
                self._file(record.number).unlink(missing_ok=True)
                raise
            self._save(msgspec.structs.replace(record, state="written"))
            self._shorten()

        return noted

    def recover(self, batch: Batch) -> list[Record]:
        """Put right what killed processes left half written; return the records of it."""
        mended: list[Record] = []
        for record in self.records():
            if record.state in {"begun", "undoing"}:
                mended.append(self._mended(record, batch))
                self._save(mended[-1])
        return mended

    def _mended(self, record: Record, batch: Batch) -> Record:
        begun = record.state == "begun"
        whole = batch.complete(record.changes if begun else _reversed(record))
        state: State = ("written" if begun else "undone") if whole else "abandoned"
        return msgspec.structs.replace(record, state=state)

    def undo(self, batch: Batch, number: int | None = None) -> Record:
        """Take a write back, the last one without a `number`.

        Raises `UsageError`: `not_found` where there is none to undo, `conflict` where a topic was changed since.
        """
        record = self._undoable(number)

        @contextmanager
        def noted(_: Sequence[Change]) -> Generator[None]:
            self._save(msgspec.structs.replace(record, state="undoing"))
            try:
                yield
            except BaseException:
                self._save(record)
                raise

        batch.apply(_reversed(record), ahead=noted)
        undone = msgspec.structs.replace(record, state="undone")
        self._save(undone)
        return undone

    def _undoable(self, number: int | None) -> Record:
        written = [record for record in self.records() if record.state == "written"]
        if number is None and written:
            return written[-1]
        for record in written:
            if record.number == number:
                return record
        valid = ", ".join(str(record.number) for record in written[-10:]) or "none"
        wanted = "Nothing that was written by itself is left" if number is None else f"There is no write {number}"
        raise UsageError("not_found", f"{wanted} to undo. Valid: {valid}. Call: /pmem undo NUMBER", {"number": number})

    def _next(self) -> int:
        # Called within the store's lock, which makes the number this record's alone.
        listed = json_file.listed(self._folder)
        return int(listed[-1].stem) + 1 if listed else 1

    def _save(self, record: Record) -> None:
        json_file.save(self._file(record.number), record)

    def _file(self, number: int) -> Path:
        return self._folder / f"{number:08}.json"

    def _shorten(self) -> None:
        for file in json_file.listed(self._folder)[:-KEPT]:
            file.unlink(missing_ok=True)


def _reversed(record: Record) -> list[Change]:
    return [change.reversed() for change in reversed(record.changes)]
