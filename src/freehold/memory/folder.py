"""One folder of topics: its files as they stand, and the lock of those who write there."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from freehold.errors import DeniedError
from freehold.memory import files, recovery, state
from freehold.memory import index as memory_index
from freehold.memory import name as names
from freehold.memory.lock import held
from freehold.memory.state import Entry, State
from freehold.memory.topic import Topic, parse

LOCK = ".lock"
TRASH = recovery.TRASH
DEADLINE = 10.0

# Seconds: for how long a file must not have been touched to count as written, and when waiting for that ends.
_REST = 0.05
_LONGEST_WRITE = 0.5


@dataclass(frozen=True, slots=True)
class Folder:
    """The topics in `path`; `agent` is the sub-agent whose folder it is, `deadline` in seconds is for the lock."""

    path: Path
    agent: str = ""
    deadline: float = DEADLINE

    def names(self) -> list[str]:
        """Return the names of all topics, in order; empty where there is no folder."""
        with files.named_errors(self.path):
            return sorted(self._stamps())

    def topic(self, name: str) -> Topic | None:
        """Return the topic in the file `name`.md, whatever state it is in, or None where there is no such file."""
        found = self._read(name)
        return None if found is None else found[0]

    def topics(self) -> list[Topic]:
        """Return every topic, in the order of the names."""
        found = (self.topic(name) for name in self.names())
        return [topic for topic in found if topic is not None]

    def index(self) -> bytes | None:
        """Return what is in `MEMORY.md`, or None where there is none."""
        with files.named_errors(self.path):
            return files.read(self.path / memory_index.FILE)

    def resting_index(self, known: State) -> bytes | None:
        """Return what is in `MEMORY.md` once no editor is in the middle of writing it, to the extent one can tell.

        An editor that writes in place empties the file first: what is read then must not be taken for its version.
        """
        limit = time.monotonic() + _LONGEST_WRITE
        while (found := self.index()) is not None and files.digest(found) != known.index and time.monotonic() < limit:
            age = time.time() - (self.path / memory_index.FILE).stat().st_mtime
            if found and not 0 <= age < _REST:
                break
            time.sleep(_REST / 4)
        return found

    def look(self, known: State) -> dict[str, Entry]:
        """Return an entry for every topic, from `known` where the file has not changed since."""
        entries: dict[str, Entry] = {}
        for name, stamp in sorted(self._stamps().items()):
            entry = known.topics.get(name)
            if entry is None or not state.fresh(entry, stamp):
                seen = time.time_ns()
                found = self._read(name)
                if found is None:
                    continue
                entry = state.entry_of(*found, stamp, seen)
            entries[name] = entry
        return entries

    @contextmanager
    def writing(self) -> Generator[State]:
        """Hold the folder's lock: nobody else writes with tools. Gives the state, and keeps it at the end.

        Raises `UnavailableError` (`store_busy`, `store_read_only`, `disk_full`, `store_too_new`).
        """
        with files.named_errors(self.path):
            files.plain_folder(self.path)
            with held(self.path / LOCK, seconds=self.deadline):
                recovery.clear(self.path)
                known = state.load(self.path)
                known.topics = self.look(known)
                yield known
                known.revision += 1
                known.topics = self.look(known)
                known.index = files.digest(self.index() or b"")
                # Nothing depends on the state: on a full disk the old one stays, and the next look sees the difference.
                with suppress(OSError):
                    state.save(self.path, known)

    def _read(self, name: str) -> tuple[Topic, str] | None:
        """Return the topic `name` and its revision."""
        data: bytes | None = None
        closed = ""
        with files.named_errors(self.path):
            try:
                data = files.read(self.path / f"{name}.md", files.MAX_BYTES + 1)
            except DeniedError:
                closed = "it is a link or no plain file, and is not read"
            except PermissionError:
                # One closed file must not take all the others from their reader.
                closed = "this user may not read it"
        if closed:
            topic = Topic(name, name, broken=closed, agent=self.agent)
            return topic, topic.revision
        if data is None:
            return None
        topic = _topic(name, data, self.agent)
        # The digest of the bytes is the revision wherever they could be read as they are; it saves writing them again.
        return topic, topic.revision if topic.broken else files.digest(data)

    def _stamps(self) -> dict[str, tuple[int, int, int, int]]:
        try:
            entries = list(os.scandir(self.path))
        except FileNotFoundError:
            return {}
        found: dict[str, tuple[int, int, int, int]] = {}
        for entry in entries:
            name = entry.name.removesuffix(".md")
            if name == entry.name or name.startswith(".") or names.folded(name) == names.folded(names.INDEX):
                continue
            try:
                facts = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if not stat.S_ISDIR(facts.st_mode):
                found[name] = state.stamp_of(facts)
        return found


def _topic(name: str, data: bytes, agent: str) -> Topic:
    broken = ""
    if len(data) > files.MAX_BYTES:
        data, broken = data[: files.MAX_BYTES], f"it is larger than {files.MAX_BYTES:,} bytes; only these are read"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text, broken = data.decode("utf-8", "replace"), broken or "it is not UTF-8"
    return parse(name, text, broken=broken, agent=agent)
