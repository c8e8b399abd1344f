"""What a synchronisation did, for people and machines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from freehold.memory.share.incoming import Refused

State = Literal["new", "changed", "removed", "conflict"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file that came in: `conflict` when both sides stand in it, marked; the counts are of lines."""

    name: str
    state: State
    added: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A file of ours that was not sent, and why."""

    name: str
    why: str


@dataclass(slots=True)
class Report:
    """What came in, what went out, what was not taken and what was not sent."""

    remote: str
    author: str = ""
    received: list[Arrival] = field(default_factory=list[Arrival])
    sent: list[str] = field(default_factory=list[str])
    refused: list[Refused] = field(default_factory=list[Refused])
    held_back: list[HeldBack] = field(default_factory=list[HeldBack])

    @property
    def clean(self) -> bool:
        """Whether nothing is left for a person to look at."""
        conflicts = [one for one in self.received if one.state == "conflict"]
        return not (conflicts or self.refused or self.held_back)
