"""`.state.json`: what the store knows of its files. All of it can be lost; it is then made anew."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from freehold.errors import UnavailableError
from freehold.memory import files
from freehold.memory.fingerprint import Fingerprint, fingerprint
from freehold.memory.topic import Topic

FILE = ".state.json"
FORMAT = 1

# A file that changes twice within one tick of the file system's clock, at one size, looks unchanged: what was written
# so shortly before the look is read again (the "racily clean" entries of Git's index).
_TICK = 2_000_000_000


class Entry(msgspec.Struct, frozen=True):
    """A topic's file as it was last seen: size, times and inode, its revision, and what it says.

    `parts`: the digests of its points, with spaces between: one text is read faster than a list of many.
    """

    stamp: tuple[int, int, int, int]
    seen: int
    revision: str
    whole: str = ""
    body: str = ""
    parts: str = ""


class State(msgspec.Struct):
    """What is kept between two looks at a store.

    `revision` counts the tools' writes, `index` is the digest of `MEMORY.md` as they left it; `cursor` is for who works
    through conversations, and belongs to them.
    """

    format: int = FORMAT
    revision: int = 0
    topics: dict[str, Entry] = msgspec.field(default_factory=dict[str, Entry])
    index: str = ""
    cursor: str = ""


class _Format(msgspec.Struct):
    format: int = FORMAT


def load(folder: Path) -> State:
    """Return the state of the store in `folder`, empty where it is missing or damaged.

    Raises `UnavailableError` (`store_too_new`) where a newer Freehold wrote it.
    """
    data = files.read(folder / FILE) or b""
    try:
        found = msgspec.json.decode(data, type=_Format).format
        if found > FORMAT:
            message = (
                f"{folder} was written by a newer Freehold (format {found}, this one knows {FORMAT}). Update Freehold."
            )
            raise UnavailableError("store_too_new", message, {"path": str(folder)})
        return msgspec.json.decode(data, type=State)
    except msgspec.MsgspecError:
        return State()


def save(folder: Path, state: State) -> None:
    """Write the state in one step. It need not last through a loss of power, so nothing is waited for."""
    scratch = folder / f"{files.SCRATCH}{os.getpid()}-state"
    try:
        scratch.write_bytes(msgspec.json.encode(state))
        scratch.replace(folder / FILE)
    finally:
        scratch.unlink(missing_ok=True)


def stamp_of(facts: os.stat_result) -> tuple[int, int, int, int]:
    """Return what of a file's facts changes when it is written or replaced."""
    return (facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino)


def fresh(entry: Entry | None, stamp: tuple[int, int, int, int]) -> bool:
    """Tell whether `entry` still speaks of the file with `stamp`."""
    return entry is not None and entry.stamp == stamp and max(stamp[1], stamp[2]) + _TICK < entry.seen


def entry_of(topic: Topic, revision: str, stamp: tuple[int, int, int, int], seen: int) -> Entry:
    """Return the entry of a topic of that revision that was read at the time `seen` (nanoseconds)."""
    told: Fingerprint = fingerprint(topic.title, topic.body)
    return Entry(stamp, seen, revision, told.whole, told.body, " ".join(sorted(told.parts)))


def saying(told: Fingerprint, entries: Iterable[tuple[str, Entry]]) -> str:
    """Return the name of the topic that already says what `told` does, or an empty text."""
    for name, entry in entries:
        if told.whole == entry.whole or (told.body and told.body == entry.body):
            return name
        if told.parts and all(part in entry.parts for part in told.parts):
            return name
    return ""
