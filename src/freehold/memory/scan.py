"""The topic files of a store as they lie on disk: which of them are searched, and what stands in one."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from freehold.errors import UnavailableError
from freehold.memory.name import INDEX

_ATTEMPTS = 5
# Some file systems stamp files to the second or two only (FAT, HFS+); Linux stamps by its clock tick of up to 10 ms.
_COARSE, _FINE = 2_000_000_000, 20_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a store is searched: its newest `files`, `file_bytes` of each, `bytes` in all."""

    files: int = 2_000
    file_bytes: int = 1_000_000
    bytes: int = 64_000_000


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is not searched, or not whole, and why in words."""

    name: str
    why: str


class Seen(NamedTuple):
    """A file as the folder lists it: bytes, and when its content and when anything of it last changed (ns since 1970).

    Only the second time cannot be set back: copying tools keep the first.
    """

    name: str
    size: int
    modified: int
    changed: int


@dataclass(frozen=True, slots=True)
class Content:
    """What stands in a file, up to a limit.

    `changed`: as in `Seen`. `settled`: whether a later change is sure to show in it; else the content is compared at
    the next sync.
    """

    data: bytes
    size: int
    changed: int
    settled: bool


def scan(folder: Path, limits: Limits) -> tuple[list[Seen], list[LeftOut]]:
    """Return the topic files of `folder`, the newest first, within `limits`; none where there is no folder."""
    seen: list[Seen] = []
    left: list[LeftOut] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if not name.endswith(".md") or name.startswith(".") or name[:-3].upper() == INDEX:
                    continue
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                if stat.S_ISREG(status.st_mode):
                    seen.append(Seen(name[:-3], status.st_size, status.st_mtime_ns, status.st_ctime_ns))
                else:
                    left.append(LeftOut(name[:-3], "it is a link or no file"))
    except (FileNotFoundError, NotADirectoryError):
        return [], []
    except PermissionError as error:
        message = f"The folder {folder} may not be listed by this user. Check: freehold memory doctor"
        raise UnavailableError("store_unreadable", message) from error
    sizes = [each.size for each in seen]
    if len(seen) <= limits.files and sum(sizes) <= limits.bytes and max(sizes, default=0) <= limits.file_bytes:
        return seen, left
    seen.sort(key=lambda each: (-each.modified, each.name))
    kept, more = _within(seen, limits)
    return kept, [*left, *more]


def _within(seen: Iterable[Seen], limits: Limits) -> tuple[list[Seen], list[LeftOut]]:
    kept: list[Seen] = []
    left: list[LeftOut] = []
    room = limits.bytes
    for each in seen:
        needed = min(each.size, limits.file_bytes)
        if len(kept) >= limits.files:
            left.append(LeftOut(each.name, f"only the newest {limits.files:,} topics are searched"))
        elif needed > room:
            left.append(LeftOut(each.name, f"only the newest {limits.bytes:,} bytes are searched"))
        else:
            kept.append(each)
            room -= needed
            if each.size > limits.file_bytes:
                left.append(LeftOut(each.name, f"only its first {limits.file_bytes:,} bytes are searched"))
    return kept, left


def read(path: Path, most: int) -> Content | None:
    """Return up to `most` bytes of `path`, read again where it changes meanwhile; None where it cannot be read."""
    content: Content | None = None
    for _ in range(_ATTEMPTS):
        try:
            with path.open("rb") as file:
                before = os.fstat(file.fileno())
                data = file.read(most)
                after = os.fstat(file.fileno())
        except OSError:
            return None
        changed = after.st_ctime_ns
        window = _FINE if changed % 1_000_000_000 else _COARSE
        same = (before.st_size, before.st_ctime_ns) == (after.st_size, changed)
        content = Content(data, after.st_size, changed, same and time.time_ns() - changed > window)
        if same:
            break
    return content
