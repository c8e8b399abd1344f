"""A possible memory, before it is written."""

from __future__ import annotations

from typing import Annotated

import msgspec

MOST = 8
"""Candidates of one pass."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model proposes to keep.

    `topic`: the existing one whose body it replaces, empty for a new one. `evidence`: the numbers of the entries that
    it rests on.
    """

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    body: Annotated[str, msgspec.Meta(min_length=1, max_length=6_000)]
    evidence: Annotated[tuple[int, ...], msgspec.Meta(min_length=1, max_length=40)]
    topic: Annotated[str, msgspec.Meta(max_length=200)] = ""
    description: Annotated[str, msgspec.Meta(max_length=300)] = ""


class AnswerRefusedError(Exception):
    """Nothing of a model's answer is written; the message says why, in words for the log and the user."""
