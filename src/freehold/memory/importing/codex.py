"""Codex's memories: `~/.codex/memories/MEMORY.md`, one handbook for all projects.

It is made of blocks that begin with `# Task Group: …` and say in a line `applies_to: cwd=…` which folder each is about.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from freehold.memory.importing.note import Note

_BLOCK = re.compile(r"^# Task Group:[ \t]*(?P<title>.+?)[ \t]*$", re.MULTILINE)
_SCOPE = re.compile(r"^scope:[ \t]*(?P<scope>.+)$", re.MULTILINE)
_CWD = re.compile(r"\bcwd\s*[=:]\s*`?([^\s;,`)]+)")


def home() -> Path:
    """Return Codex's folder: `CODEX_HOME`, else `~/.codex`."""
    chosen = os.environ.get("CODEX_HOME")
    return Path(chosen).expanduser() if chosen else Path.home() / ".codex"


def notes(folder: Path, roots: list[Path]) -> Iterator[Note]:
    """Yield the blocks of the handbook in `folder` that are about a folder in `roots`."""
    file = folder / "MEMORY.md"
    if not file.is_file():
        return
    text = file.read_text(encoding="utf-8", errors="replace")
    starts = list(_BLOCK.finditer(text))
    for start, end in zip(starts, [*(one.start() for one in starts[1:]), len(text)], strict=True):
        body = text[start.end() : end].strip() + "\n"
        if any(_within(Path(cwd), roots) for cwd in _CWD.findall(body)):
            scope = _SCOPE.search(body)
            yield Note(start["title"], body, file, description=scope["scope"].strip() if scope else "", label="Codex")


def others(folder: Path, roots: list[Path]) -> list[str]:
    """Return the folders that the other blocks are about."""
    file = folder / "MEMORY.md"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    return sorted({cwd for cwd in _CWD.findall(text) if not _within(Path(cwd), roots)})


def _within(place: Path, roots: list[Path]) -> bool:
    return any(place == root or root in place.parents for root in roots)
