"""What of the other side's tree may enter a store: top-level Markdown files, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from freehold.memory.share.repository import Entry, Repository

LIMIT = 1_000_000
"""Bytes of one file; the search index takes no larger ones either."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A file of the other side that was not taken, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Incoming:
    """The other side's files by name, what was refused, and the refused entries as they stand in its tree."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    refused: list[Refused] = field(default_factory=list[Refused])
    foreign: list[Entry] = field(default_factory=list[Entry])
    entries: dict[str, Entry] = field(default_factory=dict[str, Entry])


def read(repository: Repository, entries: Mapping[str, Entry], ours: Iterable[str]) -> Incoming:
    """Read the files of a tree that a store may hold; `ours` are the names that the store holds already."""
    found = Incoming()
    spelled = {name.casefold(): name for name in ours}
    for path, entry in sorted(entries.items()):
        text, why = _content(repository, entry, spelled)
        if why:
            found.refused.append(Refused(path, why))
            found.foreign.append(entry)
        else:
            spelled[path.casefold()] = path
            found.texts[path] = text
            found.entries[path] = entry
    return found


def _content(repository: Repository, entry: Entry, spelled: Mapping[str, str]) -> tuple[str, str]:
    """Return the file's text, or why it is refused."""
    if why := _why_not(entry) or _other_spelling(entry.path, spelled):
        return "", why
    if (size := repository.size(entry)) > LIMIT:
        return "", f"{size:,} bytes; at most {LIMIT:,} are taken"
    try:
        text = repository.read(entry).decode()
    except UnicodeDecodeError:
        return "", "not UTF-8 text"
    return ("", "not text: it holds NUL") if "\0" in text else (text, "")


def _why_not(entry: Entry) -> str:
    if entry.mode == "120000":
        return "a symbolic link"
    if not entry.is_file:
        return "a submodule"
    if "/" in entry.path:
        return "in a folder; only files at the top are shared"
    if not entry.path.endswith(".md"):
        return "not Markdown (.md)"
    return ""


def _other_spelling(path: str, spelled: Mapping[str, str]) -> str:
    """Two names that differ only in case would be one file on macOS and Windows."""
    known = spelled.get(path.casefold(), path)
    return "" if known == path else f"differs from {known} only in case"
