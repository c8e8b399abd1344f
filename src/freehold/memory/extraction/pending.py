"""Memories that wait for the user's word, since they rest on what a page or a tool said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from freehold.errors import UsageError
from freehold.memory.extraction import json_file
from freehold.memory.extraction.candidate import Candidate
from freehold.memory.fingerprint import fingerprint

MOST = 100
"""Memories that wait at most; the oldest go first."""


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """One that waits: `why`, `when` (ISO 8601), what it rests on, and the `revision` of the topic that it changes."""

    number: int
    when: str
    candidate: Candidate
    why: str
    sources: tuple[str, ...] = ()
    revision: str = ""


class _Last(msgspec.Struct):
    number: int = 0


class Pending:
    """The memories that wait, in `folder`. They lie where no recall and no block of a session finds them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[Held]:
        """Return all that wait, the oldest first."""
        found = (json_file.load(file, Held) for file in json_file.listed(self._folder))
        return [held for held in found if held is not None]

    def get(self, number: int) -> Held:
        """Return one; raise `UsageError` (`not_found`)."""
        waiting = self.all()
        for held in waiting:
            if held.number == number:
                return held
        valid = ", ".join(str(held.number) for held in waiting) or "none"
        message = f"No memory {number} waits for approval. Valid: {valid}. Call: /pmem pending"
        raise UsageError("not_found", message, {"number": number})

    def add(self, candidate: Candidate, *, why: str, when: str, sources: Sequence[str], revision: str) -> Held | None:
        """Keep a candidate until the user decides; None where one that says the same waits already."""
        with json_file.changing(self._folder / "number.json"):
            waiting = self.all()
            if _said(candidate) in {_said(held.candidate) for held in waiting}:
                return None
            held = Held(
                number=self._next(),
                when=when,
                candidate=candidate,
                why=why,
                sources=tuple(sources),
                revision=revision,
            )
            json_file.save(self._file(held.number), held)
            for file in self._files()[:-MOST]:
                file.unlink(missing_ok=True)
            return held

    def remove(self, number: int) -> None:
        """Take one away."""
        self._file(number).unlink(missing_ok=True)

    def _next(self) -> int:
        # A number that was given out is never another memory's: the user may say it a minute late.
        last = json_file.load(self._folder / "number.json", _Last) or _Last()
        json_file.save(self._folder / "number.json", _Last(last.number + 1))
        return last.number + 1

    def _files(self) -> list[Path]:
        return [file for file in json_file.listed(self._folder) if file.stem.isdigit()]

    def _file(self, number: int) -> Path:
        return self._folder / f"{number:06}.json"


def _said(candidate: Candidate) -> tuple[str, str]:
    return candidate.topic, fingerprint(candidate.title, candidate.body).whole
