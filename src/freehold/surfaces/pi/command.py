"""A slash command of the worker's in Pi."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """What a command answers: words for the user, and how they are shown (info, warning, error)."""

    text: str
    level: str = "info"


@dataclass(frozen=True, slots=True)
class Command:
    """A command: `run` takes the words after its name; `completions` are offered while they are typed."""

    name: str
    description: str
    run: Callable[[str], Awaitable[Said]]
    completions: tuple[str, ...] = ()

    def declaration(self) -> dict[str, Any]:
        """Return what the extension registers."""
        return {"name": self.name, "description": self.description, "completions": list(self.completions)}
