"""Claude Code's auto memory: `~/.claude/projects/<slug>/memory/`.

The slug is the folder's path with every character but letters and digits made a dash, so `/a/b` and `/a-b` share one.
Which project a folder belongs to is told by the sessions beside it, where they are still there: each names its `cwd`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, cast

import msgspec

from freehold.memory import front_matter
from freehold.memory import index as memory_index
from freehold.memory.importing.note import Note
from freehold.memory.topic import parse

Fit = Literal["this project", "perhaps", "another project"]

# Longer slugs are cut and get a hash behind them.
_SLUG_LIMIT = 200
_SESSIONS, _LINES = 5, 30


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be the project's: `fit` says how sure that is, `project` what its sessions name, or empty."""

    folder: Path
    fit: Fit
    project: str
    notes: int


class _Line(msgspec.Struct):
    cwd: str = ""


def home() -> Path:
    """Return Claude Code's folder: `CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    chosen = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(chosen).expanduser() if chosen else Path.home() / ".claude"


def candidates(folders: list[Path], base: Path) -> list[Candidate]:
    """Return the memories under `base` that may be those of the project in `folders` (its roots), the surest first."""
    projects = base / "projects"
    slugs = {_slug(folder) for folder in folders}
    names = {_slug(Path(folder.name)) for folder in folders}
    found: list[Candidate] = []
    for memory in sorted(projects.glob("*/memory")) if projects.is_dir() else ():
        slug, files = memory.parent.name, len(list(memory.glob("*.md")))
        if not files or not (slug in slugs or any(slug.endswith(f"-{name}") for name in names)):
            continue
        told = _told(memory.parent)
        found.append(Candidate(memory, _fit(slug, slugs, told, folders), told, files))
    order: dict[str, int] = {"this project": 0, "perhaps": 1, "another project": 2}
    return sorted(found, key=lambda one: (order[one.fit], str(one.folder)))


def notes(folder: Path) -> Iterator[Note]:
    """Yield the notes of a memory: its topic files, and what stands in MEMORY.md beside the links to them."""
    index = folder / memory_index.FILE
    for file in sorted(folder.glob("*.md")):
        if file.name == memory_index.FILE or file.is_symlink():
            continue
        yield _note(file)
    if index.is_file() and (rest := _own_words(index.read_text(encoding="utf-8", errors="replace"))):
        yield Note("Notes from Claude Code", rest, index, label="Claude Code")


def _note(file: Path) -> Note:
    text = file.read_text(encoding="utf-8", errors="replace")
    topic = parse(file.stem, text)
    front, body = front_matter.split(text)
    table = _table(front)
    kept = body if table else text
    # Claude Code calls a topic's title `name`, and keeps its type below `metadata` or beside it.
    return Note(
        title=_text(table.get("title")) or _text(table.get("name")) or topic.title,
        body=kept,
        origin=file,
        name=file.stem,
        description=_text(table.get("description")),
        type=_text(table.get("type")) or _text(_inner(table.get("metadata")).get("type")),
        label="Claude Code",
    )


def _table(front: str) -> dict[str, Any]:
    try:
        return front_matter.load(front) if front else {}
    except ValueError:
        return {}


def _inner(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _own_words(text: str) -> str:
    lines = [line for line in text.splitlines() if not memory_index.linked(line)]
    words = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return "\n".join(lines).strip() + "\n" if words else ""


def _slug(folder: Path) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", str(folder))[:_SLUG_LIMIT]


def _fit(slug: str, slugs: set[str], told: str, folders: list[Path]) -> Fit:
    if told:
        place = Path(told)
        return "this project" if any(place == one or one in place.parents for one in folders) else "another project"
    return "perhaps" if slug in slugs or slug[:_SLUG_LIMIT] in slugs else "another project"


def _told(folder: Path) -> str:
    """Return the working folder that the newest sessions name, empty when none says."""
    for session in sorted(folder.glob("*.jsonl"), key=lambda file: file.stat().st_mtime, reverse=True)[:_SESSIONS]:
        with session.open("rb") as stream:
            for line in islice(stream, _LINES):
                try:
                    if cwd := msgspec.json.decode(line, type=_Line).cwd:
                        return cwd
                except msgspec.MsgspecError:
                    continue
    return ""
