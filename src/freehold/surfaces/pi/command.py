"""A slash command of the worker's in Pi."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """What a command answers: words for the user, and how they are shown (info, warning, error)."""

    text: str
    level: str = "info"


@dataclass(frozen=True, slots=True)
class Command:
    """A command; `completions` are offered while its words are typed."""

    name: str
    description: str
    completions: tuple[str, ...] = ()

    def declaration(self) -> dict[str, Any]:
        """Return what the extension registers."""
        return {"name": self.name, "description": self.description, "completions": list(self.completions)}
