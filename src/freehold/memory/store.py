"""A store: the folder of a project's topics and their index."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from freehold.errors import DeniedError, UsageError
from freehold.memory import name as names
from freehold.memory import redact
from freehold.memory.project import Project, store_folder
from freehold.memory.topic import Topic, digest, parse, render


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a `save`.

    `created`: whether a new topic was made. `duplicate_of`: the topic that already says the same, and then nothing was
    written. `warnings`: sentences for the user.
    """

    name: str
    created: bool
    duplicate_of: str
    warnings: tuple[str, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Change:
    """What `reindex` does to a line of `MEMORY.md`: `kind` is `add`, `remove` or `duplicate`."""

    kind: str
    name: str
    line: str


@dataclass(frozen=True, slots=True)
class Trashed:
    """A forgotten topic: `when` it was forgotten (ISO 8601, UTC)."""

    name: str
    title: str
    when: str
    path: Path


class Store:
    """Reads and writes the topics of one folder."""

    def __init__(self, path: Path, *, project: Project | None = None, agent: str = "") -> None:
        self.path = path
        self.project = project
        self.agent = agent

    @classmethod
    def open(cls, folder: Path | Project, *, agent: str | None = None) -> Self:
        """Open the store of a project, or the one in `folder`; nothing is made before the first write.

        `agent`: the sub-store of that sub-agent, which reads the project's topics and writes its own.
        """
        project = folder if isinstance(folder, Project) else None
        path = store_folder(folder) if isinstance(folder, Project) else folder
        if agent:
            path = path / "agents" / names.checked(agent)
        return cls(path, project=project, agent=agent or "")

    def prepare(self) -> None:
        """Make the folder and its `.project.json`, for an agent that writes with its own file tools."""
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)

    def topics(self) -> list[Topic]:
        """Return every topic, by name; a broken one says in `broken` what is wrong."""
        files = sorted(self.path.glob("*.md")) if self.path.is_dir() else []
        return [self._read(file) for file in files if file.stem != names.INDEX and not file.name.startswith(".")]

    def topic(self, name: str) -> Topic:
        """Return the topic `name`; raise `UsageError` (`unknown_topic`, `name_not_allowed`)."""
        file = self.path / f"{names.checked(name)}.md"
        if not file.is_file():
            raise UsageError("unknown_topic", f'There is no topic "{name}". List them: freehold memory list')
        return self._read(file)

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
        `expected_revision`: what `revision(name)` said when the topic was read; needed to change one.
        """
        if not allow_secrets and (secrets := redact.find_secrets(body)):
            raise DeniedError("secret_found", f"Line {secrets[0].line} holds a secret ({secrets[0].kind}).")
        self.prepare()
        taken = [topic.name for topic in self.topics()]
        name = names.checked(name) if name else names.proposed(title, taken)
        if name in taken and expected_revision != self.topic(name).revision:
            raise UsageError("conflict", f"The topic {name} has changed.", {"name": name})
        file = self.path / f"{name}.md"
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        known = self._read(file) if name in taken else Topic(name, created=now)
        topic = replace(known, title=title, description=description, type=type, source=source, body=body, updated=now)
        scratch = file.with_name(f".tmp-{os.getpid()}")
        scratch.write_bytes(render(topic).encode())
        scratch.replace(file)
        return Saved(name, name not in taken, "", (), file)

    def forget(self, name: str) -> Path:
        """Move the topic `name` to the trash and take its line out of the index; return where it lies."""
        topic = self.topic(name)
        trash = self.path / ".trash"
        trash.mkdir(exist_ok=True)
        target = trash / f"{topic.name}.md"
        (self.path / f"{topic.name}.md").replace(target)
        return target

    def restore(self, name: str) -> Topic:
        """Bring back the topic `name` as it was last forgotten."""
        (self.path / ".trash" / f"{names.checked(name)}.md").replace(self.path / f"{name}.md")
        return self.topic(name)

    def trash(self) -> list[Trashed]:
        """Return what was forgotten, the newest first."""
        return []

    def revision(self, name: str | None = None) -> str:
        """Return a digest of the topic `name`, or of all of the store."""
        if name is not None:
            return self.topic(name).revision
        return digest("".join(f"{topic.name} {topic.revision}\n" for topic in self.topics()).encode())

    def block(self, max_lines: int = 200, max_bytes: int = 25_000) -> str:
        """Return what enters a session: `MEMORY.md` within the budget; the same bytes while nothing has changed."""
        lines = [f"- [{topic.title}]({topic.name}.md) — {topic.description}\n" for topic in self.topics()]
        return "".join(lines[:max_lines])[:max_bytes]

    def reindex(self, *, dry_run: bool = False) -> list[Change]:
        """Repair the index: add missing lines, remove dead ones; return what was done, or would be."""
        return []

    def notices(self) -> list[str]:
        """Return what the user should be told once, such as that a moved repository's memory was found."""
        return []

    def _read(self, file: Path) -> Topic:
        return parse(file.stem, file.read_bytes().decode("utf-8", "replace"), agent=self.agent)
