"""The agents whose sessions can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from freehold.archive.sessions import claude_code, codex, pi
from freehold.archive.sessions.conversation import Conversation
from freehold.errors import UsageError


@dataclass(frozen=True, slots=True)
class Source:
    """An agent: where its session files are, and how one of them is read."""

    name: str
    files: Callable[[], list[Path]]
    conversations: Callable[[Path], list[Conversation]]


SOURCES = (
    Source(pi.SOURCE, pi.files, pi.conversations),
    Source(claude_code.SOURCE, claude_code.files, claude_code.conversations),
    Source(codex.SOURCE, codex.files, codex.conversations),
)


def of(name: str) -> Source:
    """Return the agent called `name`; raise `UsageError` (`invalid_argument`) that lists those there are."""
    for source in SOURCES:
        if source.name == name:
            return source
    valid = ", ".join(source.name for source in SOURCES)
    raise UsageError("invalid_argument", f"Sessions of {name!r} cannot be read. Valid: {valid}.")
