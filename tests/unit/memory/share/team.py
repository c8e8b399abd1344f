"""A bare remote and the stores of two people, in one folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from freehold.memory.share import sync as sharing
from freehold.memory.share.files import StoreFiles
from freehold.memory.share.report import Report
from freehold.memory.store import Store


def git(folder: Path, *words: str, data: bytes = b"") -> str:
    """Run Git as somebody else than Freehold would."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = ("-c", "user.name=Else", "-c", "user.email=else@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, env=environment, input=data, capture_output=True, check=True, timeout=60
    )
    return done.stdout.decode("utf-8", "replace").strip()


class Member:
    """One person with a store of their own."""

    def __init__(self, folder: Path, remote: Path) -> None:
        self.store = Store.open(folder)
        self.files = StoreFiles(self.store)
        self.remote = str(remote)
        self.store.prepare()

    def init(self) -> Report:
        return sharing.init(self.files, self.remote)

    def sync(self) -> Report:
        return sharing.sync(self.files)

    def save(self, title: str, body: str) -> str:
        return self.store.save(title, body).name

    def edit(self, name: str, old: str, new: str) -> None:
        file = self.store.path / f"{name}.md"
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    def text(self, name: str) -> str:
        return (self.store.path / f"{name}.md").read_text()

    def names(self) -> list[str]:
        return [topic.name for topic in self.store.topics()]


class Team:
    """Ann and Bob, who share one remote."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.remote = base / "team.git"
        git(base, "init", "--quiet", "--bare", "--initial-branch=main", str(self.remote))
        self.ann = Member(base / "ann", self.remote)
        self.bob = Member(base / "bob", self.remote)

    def pushed(self) -> list[str]:
        """Return the paths of everything that was ever pushed."""
        listed = git(self.remote, "log", "--all", "--name-only", "--format=")
        return sorted(set(listed.splitlines()) - {""})

    def content(self) -> str:
        """Return all that was ever pushed, as a patch."""
        return git(self.remote, "log", "--all", "-p", "--format=%B")

    def elsewhere(self) -> Path:
        """Return a work tree of the remote, as someone has it who does not use Freehold."""
        folder = self.base / "elsewhere"
        if not folder.exists():
            git(self.base, "clone", "--quiet", str(self.remote), str(folder))
        git(folder, "pull", "--quiet", "--no-rebase")
        return folder

    def push_from_elsewhere(self) -> None:
        folder = self.elsewhere()
        git(folder, "add", "-A")
        git(folder, "commit", "--quiet", "-m", "by hand")
        git(folder, "push", "--quiet", "origin", "HEAD:main")
