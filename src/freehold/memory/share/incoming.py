"""What of the other side's tree may enter a store: top-level Markdown files, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from freehold.errors import UsageError
from freehold.memory import index
from freehold.memory import name as names
from freehold.memory.share.repository import Entry, Repository

LIMIT = 1_000_000
"""Bytes of one file; the search index takes no larger ones either."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A file of the other side that was not taken, and why: a part of a sentence, such as `a symbolic link`."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Incoming:
    """The other side's files by name, what was refused, and the refused entries as they stand in its tree."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    refused: list[Refused] = field(default_factory=list[Refused])
    foreign: list[Entry] = field(default_factory=list[Entry])
    entries: dict[str, Entry] = field(default_factory=dict[str, Entry])

    def refuse(self, entry: Entry, why: str) -> None:
        """Leave a file outside."""
        self.refused.append(Refused(entry.path, why))
        self.foreign.append(entry)


def read(repository: Repository, entries: Mapping[str, Entry], ours: Iterable[str]) -> Incoming:
    """Read the files of a tree that a store may hold; `ours` are the names that the store holds already."""
    found = Incoming()
    spelled = {names.folded(name): name for name in ours}
    for path, entry in sorted(entries.items()):
        if why := _why_not(entry) or _other_spelling(path, spelled):
            found.refuse(entry, why)
        else:
            spelled[names.folded(path)] = path
            found.entries[path] = entry
    for path, content in repository.read(found.entries.values()).items():
        text = _text(content)
        if text is None:
            found.refuse(found.entries.pop(path), "not UTF-8 text")
        else:
            found.texts[path] = text
    return found


def _text(content: bytes) -> str | None:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _why_not(entry: Entry) -> str:
    """Return what speaks against an entry by its kind, size and name, in words, or an empty text."""
    rules = {
        "a symbolic link": entry.mode == "120000",
        "a submodule": entry.kind != "blob",
        "in a folder; only files at the top are shared": "/" in entry.path,
        "not Markdown (.md)": not entry.path.endswith(".md"),
        f"larger than {LIMIT:,} bytes": entry.size > LIMIT,
    }
    broken = [why for why, holds in rules.items() if holds]
    return broken[0] if broken else _name(entry.path)


def _name(path: str) -> str:
    if path == index.FILE:
        return ""
    try:
        same = names.checked(path) == path.removesuffix(".md")
    except UsageError as error:
        return f"badly named. {error.message}"
    return "" if same else "spelled with decomposed letters"


def _other_spelling(path: str, spelled: Mapping[str, str]) -> str:
    """Two names that differ only in case would be one file on macOS and Windows."""
    known = spelled.get(names.folded(path), path)
    return "" if known == path else f"called like {known}, but for case or accents"
