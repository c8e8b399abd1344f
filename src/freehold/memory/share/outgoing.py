"""What of a store may leave it: its top-level Markdown files that hold no secret."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from freehold.memory.redact import find_secrets
from freehold.memory.share.incoming import LIMIT
from freehold.memory.share.report import HeldBack


@dataclass(frozen=True, slots=True)
class Outgoing:
    """The store's files by name as they stand on disk, and which of them must not leave, with the reason.

    `texts` holds those with secrets too: they are joined with what comes in like any other, and only not sent.
    """

    texts: dict[str, str] = field(default_factory=dict[str, str])
    held_back: dict[str, str] = field(default_factory=dict[str, str])

    def report(self) -> list[HeldBack]:
        """Return what is held back, for the user."""
        return [HeldBack(name, why) for name, why in sorted(self.held_back.items())]


def read(folder: Path) -> Outgoing:
    """Read the store in `folder`."""
    found = Outgoing()
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if not entry.name.endswith(".md") or entry.name.startswith("."):
                continue
            text, why = _content(Path(entry.path))
            if text is not None:
                found.texts[entry.name] = text
            if why:
                found.held_back[entry.name] = why
    return found


def _content(file: Path) -> tuple[str | None, str]:
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return None, "a symbolic link" if file.is_symlink() else f"cannot be read: {error.strerror}"
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None, "not a file"
        data = stream.read(LIMIT + 1)
    if len(data) > LIMIT:
        return None, f"larger than {LIMIT:,} bytes"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None, "not UTF-8 text"
    return text, _secret(file.name, text)


def _secret(name: str, text: str) -> str:
    """Say which secret stands in the name or the text; allowed ones, too, may stay here but not leave."""
    if found := find_secrets(name):
        return f"its name holds a secret ({found[0].kind})"
    if found := find_secrets(text):
        return f"line {found[0].line} holds a secret ({found[0].kind})"
    return ""
