"""A store: the folder of a project's topics and their index."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import msgspec

from freehold.errors import DeniedError, FreeholdError
from freehold.memory import adoption, block, files, index, record, state, trash
from freehold.memory import name as names
from freehold.memory.batch import Batch
from freehold.memory.block import Budget
from freehold.memory.folder import DEADLINE, Folder
from freehold.memory.index import Change
from freehold.memory.index_edit import IndexEdit
from freehold.memory.project import Project
from freehold.memory.record import Record
from freehold.memory.saving import Note, Saved, Saver
from freehold.memory.topic import Topic
from freehold.memory.trash import Trashed

__all__ = ["Budget", "Change", "Saved", "Store", "Trashed"]

_AGENTS = "agents"


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Store:
    """Reads and writes the topics of one folder. Made by `Store.open`; holds nothing open, so it needs no closing.

    `path`: the folder that is written to. `project`: whose it is, where it was opened by its project.
    """

    def __init__(
        self,
        home: Path,
        *,
        project: Project | None = None,
        agent: str = "",
        budget: Budget | None = None,
        now: Callable[[], str] = _now,
        deadline: float = DEADLINE,
    ) -> None:
        self.home = home
        self.path = home / _AGENTS / agent if agent else home
        self.project = project
        self.agent = agent
        self.budget = budget or Budget()
        self._now = now
        self._own = Folder(self.path, agent, deadline)
        self._others = (Folder(home),) if agent else ()

    @classmethod
    def open(
        cls,
        folder: Path | Project,
        *,
        agent: str | None = None,
        base: Path | None = None,
        budget: Budget | None = None,
        now: Callable[[], str] = _now,
        deadline: float = DEADLINE,
    ) -> Self:
        """Open the store of a project, or the one in `folder`; nothing is made before the first write.

        The memory of a project that was renamed or moved is taken over here (see `notices`). `agent`: the sub-store of
        that sub-agent, which reads the project's topics and writes its own. `base` stands in for
        `paths.agent_folder()`, `now` for the clock; `deadline` is how many seconds
        a write waits for another's lock. Raises `UsageError` (`name_not_allowed`), `DeniedError`
        (`store_mismatch`).
        """
        agent = names.checked(agent) if agent else ""
        if not isinstance(folder, Project):
            return cls(folder, agent=agent, budget=budget, now=now, deadline=deadline)
        home = adoption.settled(folder, base)
        told = record.load(home)
        if told is not None and told.key != folder.key and home == adoption.store_folder(folder, base):
            message = f"{home} is the memory of {told.path}. Take it over with: freehold memory adopt {home.name}"
            raise DeniedError("store_mismatch", message, {"path": str(home), "of": told.path})
        store = cls(home, project=folder, agent=agent, budget=budget, now=now, deadline=deadline)
        if adoption.is_store(home):
            # An agent may have written there with its own file tools; without a record a later move would lose it.
            # Where it cannot be written now, reading still works.
            with suppress(FreeholdError, OSError):
                store._keep_record()
        return store

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that are read: the one that is written to, then the project's where that is another."""
        return (self.path, *(other.path for other in self._others))

    def prepare(self) -> None:
        """Make the folder and its `.project.json`, for an agent that writes with its own file tools."""
        with files.named_errors(self.path):
            files.plain_folder(self.home)
            if self.agent:
                files.plain_folder(self.home / _AGENTS)
            files.plain_folder(self.path)
            self._keep_record()

    def topics(self) -> list[Topic]:
        """Return every topic, by name; a broken one says in `broken` what is wrong with its file."""
        found = {topic.name: topic for folder in (*self._others, self._own) for topic in folder.topics()}
        return [found[name] for name in sorted(found)]

    def topic(self, name: str) -> Topic:
        """Return the topic `name`; raise `UsageError` (`unknown_topic`, `name_not_allowed`)."""
        bare = name.removesuffix(".md")
        for folder in (self._own, *self._others):
            # A person may have given a file a name that tools may not: what is listed can be read.
            topic = folder.topic(bare) if bare in folder.names() else None
            if topic is not None:
                return topic
        raise trash.unknown(names.checked(name))

    def save(
        self,
        title: str,
        body: str,
        *,
        name: str | None = None,
        description: str = "",
        type: str = "",
        source: str = "",
        verified: str = "",
        expected_revision: str | None = None,
        allow_secrets: bool = False,
    ) -> Saved:
        """Write a topic and its line in the index.

        `name`: the topic to change, or the name of a new one; left out, a new topic gets its name from `title`.
        `description`, `type`, `source` and `verified` (ISO 8601), left empty, keep what stands in the topic.
        `expected_revision`: what `revision(name)` or `revision()` said when it was read; needed to change a topic.

        Raises `UsageError` (`invalid_argument`, `name_not_allowed`, `conflict`), `DeniedError` (`secret_found`,
        `topic_protected`, `path_outside_store`) and `UnavailableError` (`store_busy`, `store_read_only`, `disk_full`,
        `store_too_new`); nothing is written then.
        """
        saver = Saver(self._own, self._others, self.budget, self._now, self.revision)
        note = Note(title, body, name, description, type, source, verified)
        saver.check(note, allow_secrets=allow_secrets)
        self.prepare()
        return saver.save(note, expected_revision=expected_revision)

    def batch(self) -> Batch:
        """Return the way to change several topics at once."""
        return Batch(self._own, self._others, self._now)

    def forget(self, name: str, *, expected_revision: str | None = None) -> Path:
        """Move the topic `name` to the trash and its line out of the index; return where it lies.

        Raises `UsageError` (`unknown_topic`, `conflict`) and `UnavailableError` as `save` does.
        """
        bare = name.removesuffix(".md")
        if bare not in self._own.names():
            raise trash.unknown(names.checked(name))
        return trash.forget(self._own, bare, now=self._now(), expected_revision=expected_revision)

    def restore(self, name: str) -> Topic:
        """Bring back the topic `name` as it was last forgotten; raise `UsageError` (`unknown_topic`, `conflict`)."""
        return trash.restore(self._own, name.removesuffix(".md"))

    def trash(self) -> list[Trashed]:
        """Return what was forgotten, the newest first."""
        return trash.listed(self._own)

    def revision(self, name: str | None = None) -> str:
        """Return a digest of the topic `name`, or of everything that is read: it changes with every byte of it."""
        if name is not None:
            return self.topic(name).revision
        parts: list[str] = []
        for folder in (self._own, *self._others):
            parts.append(files.digest(folder.index() or b""))
            parts += [f"{key} {entry.revision}" for key, entry in folder.look(state.load(folder.path)).items()]
        return files.digest("\n".join(parts).encode("utf-8", "surrogateescape"))

    def index(self) -> str:
        """Return `MEMORY.md` as it stands, empty where there is none."""
        return (self._own.index() or b"").decode("utf-8", "replace")

    def block(self, max_lines: int | None = None, max_bytes: int | None = None) -> str:
        """Return what enters a session: `MEMORY.md` within the budget; the same bytes while nothing has changed.

        A sub-agent's comes after its project's, each within the budget.
        """
        budget = Budget(max_lines or self.budget.lines, max_bytes or self.budget.bytes)
        texts = [(folder, (folder.index() or b"").decode("utf-8", "replace")) for folder in (*self._others, self._own)]
        return "\n".join(block.block(text, budget, folder.topics) for folder, text in texts if text)

    def reindex(self, *, dry_run: bool = False) -> list[Change]:
        """Repair the index: add missing lines, remove dead ones and exact repetitions; return what that is.

        Lines that a person wrote are kept. With `dry_run` nothing is written.
        """
        if dry_run:
            return index.repaired(self.index(), self._own.topics())[1]
        self.prepare()
        with self._own.writing() as known:
            topics = self._own.topics()
            changes: list[Change] = []

            def repair(text: str) -> str:
                repaired, changes[:] = index.repaired(text, topics)
                return repaired

            with IndexEdit(self._own, known, repair) as edit:
                edit.apply()
        return changes

    def notices(self) -> list[str]:
        """Return what the user should be told once: that a moved project's memory was found, how it is keyed."""
        told = record.load(self.home)
        sentences = [self.project.note] if self.project and self.project.note else []
        sentences += self._stranger(told)
        if told is None or all(move.told for move in told.adopted):
            return sentences
        sentences += [f"This is the memory of {move.path}, which has moved." for move in told.adopted if not move.told]
        moves = tuple(msgspec.structs.replace(move, told=True) for move in told.adopted)
        with files.named_errors(self.home):
            record.save(self.home, msgspec.structs.replace(told, adopted=moves))
        return sentences

    def _stranger(self, told: Record | None) -> list[str]:
        """Say that the memory may be of a repository that was moved away before this one took its place."""
        project = self.project
        if told is None or project is None or not record.outdated(told, project):
            return []
        if not record.of_another(told, record.of(project)):
            return []
        sentence = (
            f"This memory was kept for another repository that stood in {told.path}: its first commit is another. "
            f"Take it along from where that is now: freehold memory adopt {self.home.name} "
            "(or run that here, if it is this project's)."
        )
        return [sentence]

    def _keep_record(self) -> None:
        """Write `.project.json` where it is missing, or the folder was made anew in the same place."""
        if self.project is None:
            return
        told = record.load(self.home)
        if told is None or record.outdated(told, self.project):
            fresh = record.of(self.project)
            if told and record.of_another(told, fresh):
                # What it is known by after a move is still needed: see `_stranger`.
                return
            record.save(self.home, msgspec.structs.replace(fresh, adopted=told.adopted) if told else fresh)
