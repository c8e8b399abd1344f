"""What the user typed, as Pi's `input` events tell it before anything is put in its place.

A message of the role `user` may be text of a prompt template, which may be the repository's, or of another extension.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from freehold.memory.extraction.entry import Entry, clipped, own_words

_KEPT = 100
# What else there is, `extension`, is text of a program.
_PERSONS = frozenset({"interactive", "rpc"})


class Typed:
    """The newest inputs of a person. `told`: whether inputs are told here at all; else a message's role decides."""

    def __init__(self, *, told: bool) -> None:
        self._told = told
        self._texts: deque[str] = deque(maxlen=_KEPT)

    def hear(self, payload: Mapping[str, Any]) -> None:
        """Take in an `input` event: `text` as it was typed, and its `source`."""
        if payload.get("source") in _PERSONS:
            self._texts.append(clipped(payload.get("text")))

    def has(self, entry: Entry) -> bool:
        """Tell whether the words of `entry`, beside what was attached to it, are the user's own."""
        if entry.role != "user":
            return False
        return not self._told or any(_says(typed, entry.text) for typed in self._texts)


def _says(typed: str, told: str) -> bool:
    said = own_words(told).strip()
    if said == own_words(typed).strip():
        return True
    # `/skill:name words` becomes the skill, attached, and the words.
    return said != told.strip() and typed.startswith("/") and typed.rstrip().endswith(said)
