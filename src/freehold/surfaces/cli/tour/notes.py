"""What a step of the tour has done and seen so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from freehold.tools.result import Image


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool and its answer."""

    tool: str
    arguments: dict[str, Any]
    text: str
    is_error: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Check:
    """One sentence held against what really happened; `expected` and `got` are shown where they differ."""

    sentence: str
    passed: bool
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot and the words that stand under it."""

    image: Image
    caption: str


@dataclass(slots=True)
class Notes:
    """What a step has done so far."""

    calls: list[Call] = field(default_factory=list["Call"])
    checks: list[Check] = field(default_factory=list["Check"])
    pictures: list[Picture] = field(default_factory=list["Picture"])
