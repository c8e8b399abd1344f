"""One thing that a doctor found in a store."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "near_duplicate",
    "dead_link",
    "index_drift",
    "stale_date",
    "missing_path",
    "secret",
    "orphaned_store",
    "broken_front_matter",
    "unsettled_conflict",
    "unreadable",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    `where`: the topic's name, `MEMORY` for the index, or a store's folder; `line` counts from 1, 0 is the whole.
    `state`: "wrong", or "note" for what is worth knowing and may be right as it is. `mend`: the command to run.
    `percent` and `shared`, of near-duplicates: how alike the two are, and the lines that stand in both.
    """

    kind: Kind
    where: str
    detail: str
    mend: str
    state: Literal["wrong", "note"] = "wrong"
    line: int = 0
    percent: int = 0
    shared: tuple[str, ...] = ()


def command(*words: str) -> str:
    """Return `freehold memory WORDS`, quoted for a shell; a topic that a person named like an option is none."""
    if any(word.startswith("-") for word in words[1:]):
        words = (words[0], "--", *words[1:])
    return f"freehold memory {shlex.join(words)}"
