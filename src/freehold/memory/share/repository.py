"""The Git repository inside a shared store: its objects, its one branch, its one remote.

Nothing is checked out by Git: files come and go through the store's own writes, so that hooks, filters, attributes and
symbolic links of the other side have nothing to act on.
"""

from __future__ import annotations

import getpass
import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from freehold.errors import UnavailableError
from freehold.memory.git import program_path
from freehold.memory.share.environment import CREDENTIALS, SETTINGS, environment

REMOTE = "origin"
BRANCH = "main"
SECONDS = 120
"""How long one call of Git may take, a slow remote included."""

_TRACKING = f"refs/remotes/{REMOTE}/{BRANCH}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a tree: Git's mode and kind, the object's id, the path, and the size in bytes where it was told."""

    mode: str
    kind: str
    oid: str
    path: str
    size: int = 0

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file (mode 100644 or 100755)."""
        return self.kind == "blob" and self.mode in {"100644", "100755"}


class Repository:
    """The repository of the store in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def exists(self) -> bool:
        """Say whether this very folder is a repository; one further up does not count."""
        return (self._folder / ".git").is_dir() and not (self._folder / ".git").is_symlink()

    def init(self) -> None:
        """Make the repository; one that is there stays as it is. A person's `git add` here takes Markdown only, too."""
        self._git("init", "--quiet", f"--initial-branch={BRANCH}", "--object-format=sha1", ".")
        exclude = self._folder / ".git" / "info" / "exclude"
        exclude.parent.mkdir(exist_ok=True)
        exclude.write_text("*\n!/*.md\n")

    def remote(self) -> str:
        """Return the address of the remote, empty when none is set."""
        if not self.exists():
            return ""
        done = self._run("config", "--get", f"remote.{REMOTE}.url")
        return done.stdout.decode().strip() if done.returncode == 0 else ""

    def set_remote(self, address: str) -> None:
        """Set the address of the remote."""
        self._git("config", f"remote.{REMOTE}.url", address)
        self._git("config", f"remote.{REMOTE}.fetch", f"+refs/heads/{BRANCH}:{_TRACKING}")

    def knows_remote(self) -> bool:
        """Say whether something was ever fetched from the remote, or pushed to it."""
        return bool(self._commit(_TRACKING))

    def head(self) -> str:
        """Return the id of our newest commit, empty when there is none."""
        return self._commit(f"refs/heads/{BRANCH}")

    def fetch(self) -> str:
        """Fetch the remote's branch and return its newest commit, empty when it has none.

        Raises `UnavailableError` (`remote_failed`). What the remote's branch pointed to before stays reachable under
        `refs/freehold/rescue/` when the remote no longer has it.
        """
        before = self._commit(_TRACKING)
        found = self._run("ls-remote", "--heads", REMOTE, f"refs/heads/{BRANCH}")
        if found.returncode:
            raise _remote_failed("read", found)
        if not found.stdout.strip():
            return ""
        done = self._run("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", REMOTE)
        if done.returncode:
            raise _remote_failed("read", done)
        now = self._commit(_TRACKING)
        if before and not self.is_ancestor(before, now):
            self._git("update-ref", f"refs/freehold/rescue/{before[:12]}", before)
        return now

    def push(self) -> bool:
        """Push our branch; False when the remote has moved on meanwhile. Never forces.

        Raises `UnavailableError` (`remote_failed`).
        """
        done = self._run("push", "--quiet", "--porcelain", "--no-verify", REMOTE, f"refs/heads/{BRANCH}")
        if done.returncode == 0:
            return True
        said = done.stdout + done.stderr
        # What a remote says when another push came first, as git-push(1) names it, or while it holds the branch's lock.
        if any(
            word in said for word in (b"fetch first", b"non-fast-forward", b"cannot lock ref", b"failed to update ref")
        ):
            return False
        raise _remote_failed("written to", done)

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Say whether the commit `older` is `newer` or one of its ancestors."""
        return self._run("merge-base", "--is-ancestor", older, newer).returncode == 0

    def unsent(self, commit: str) -> list[str]:
        """Return `commit` and those of its ancestors that the remote never had, also before it was rewound."""
        if not commit:
            return []
        had = ("--not", f"--glob={_TRACKING}", "--glob=refs/freehold/rescue/*")
        return self._git("rev-list", commit, *had).decode().split()

    def keep(self, commit: str) -> None:
        """Let `commit` be found again under `refs/freehold/kept/`, which is never pushed, when no branch has it."""
        self._git("update-ref", f"refs/freehold/kept/{commit[:12]}", commit)

    def merge_base(self, ours: str, theirs: str) -> str:
        """Return the best common ancestor, empty when there is none."""
        done = self._run("merge-base", ours, theirs)
        return done.stdout.decode().strip() if done.returncode == 0 else ""

    def entries(self, commit: str) -> dict[str, Entry]:
        """Return everything in the commit's tree by path; nothing for an empty `commit`."""
        if not commit:
            return {}
        listed = self._git("ls-tree", "-r", "-l", "-z", "--full-tree", commit)
        return {entry.path: entry for entry in map(_entry, listed.split(b"\0")) if entry}

    def read(self, entries: Iterable[Entry]) -> dict[str, bytes]:
        """Return the contents of files by path, all by one process."""
        wanted = list(entries)
        said = self._git("cat-file", "--batch", data="".join(f"{entry.oid}\n" for entry in wanted).encode())
        contents: dict[str, bytes] = {}
        at = 0
        for entry in wanted:
            head, at = _line_at(said, at)
            size = int(head.split()[2])
            contents[entry.path] = said[at : at + size]
            at += size + 1
        return contents

    def write(self, contents: Mapping[str, bytes]) -> list[Entry]:
        """Store the contents and return their entries, all by one process; no filter or conversion touches them."""
        with tempfile.TemporaryDirectory(prefix="freehold-share-") as folder:
            files = [Path(folder, str(number)) for number in range(len(contents))]
            for file, content in zip(files, contents.values(), strict=True):
                file.write_bytes(content)
            listed = "".join(f"{file}\n" for file in files).encode()
            oids = self._git("hash-object", "-w", "--no-filters", "--stdin-paths", data=listed).decode().split()
        return [Entry("100644", "blob", oid, path) for path, oid in zip(contents, oids, strict=True)]

    def tree(self, entries: Iterable[Entry]) -> str:
        """Store a tree of exactly these entries and return its id."""
        # Nested trees need an index; one of our own, so that the user's is never half made.
        index = self._folder / ".git" / "freehold-index"
        index.unlink(missing_ok=True)
        lines = b"".join(
            f"{each.mode} {each.oid}\t{each.path}\0".encode("utf-8", "surrogateescape") for each in entries
        )
        own = {"GIT_INDEX_FILE": str(index)}
        try:
            self._git("update-index", "--add", "-z", "--index-info", data=lines, more=own)
            return self._git("write-tree", more=own).decode().strip()
        finally:
            index.unlink(missing_ok=True)

    def commit(self, tree: str, parents: Iterable[str], message: str) -> str:
        """Make a commit of `tree`, move our branch to it, and return its id."""
        before = self.head()
        named = [word for parent in parents if parent for word in ("-p", parent)]
        made = self._git("commit-tree", *named, tree, data=message.encode(), more=self._identity()).decode().strip()
        self._move(made, before)
        return made

    def forward(self, commit: str) -> None:
        """Move our branch to `commit`."""
        self._move(commit, self.head())

    def tree_of(self, commit: str) -> str:
        """Return the id of the commit's tree, empty for an empty `commit`."""
        if not commit:
            return ""
        return self._git("rev-parse", f"{commit}^{{tree}}").decode().strip()

    def message(self, commit: str) -> str:
        """Return what the commit says, and who made it."""
        return self._git("log", "-1", "--format=%an %ae%n%B", commit).decode("utf-8", "replace")

    def author(self, commit: str) -> str:
        """Return who made the commit, and when: `Ann, 2026-11-30 18:20`."""
        return self._git("log", "-1", "--format=%an, %ad", "--date=format:%Y-%m-%d %H:%M", commit).decode().strip()

    def _identity(self) -> dict[str, str]:
        """Return a name for commits where the user has told Git none."""
        if self._run("config", "--get", "user.email").returncode == 0:
            return {}
        name = getpass.getuser()
        own = {"NAME": name, "EMAIL": f"{name}@localhost"}
        return {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in own.items()} | {
            name: value for name, value in os.environ.items() if name in CREDENTIALS
        }

    def _move(self, commit: str, before: str) -> None:
        # The old value makes it a compare-and-swap: of two synchronisations at once, one is refused here.
        self._git("update-ref", f"refs/heads/{BRANCH}", commit, before or "0" * 40)
        # Nothing is checked out by Git, but a person who calls `git status` here should see the truth.
        self._git("read-tree", commit)

    def _commit(self, name: str) -> str:
        done = self._run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        return done.stdout.decode().strip() if done.returncode == 0 else ""

    def _git(self, *words: str, data: bytes = b"", more: Mapping[str, str] | None = None) -> bytes:
        done = self._run(*words, data=data, more=more)
        if done.returncode:
            message = f"git {words[0]} failed in {self._folder}: {_last_line(done)}. Look there with git status."
            raise UnavailableError("git_failed", message)
        return done.stdout

    def _run(
        self, *words: str, data: bytes = b"", more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        settings = [word for key, value in SETTINGS.items() for word in ("-c", f"{key}={value}")]
        command = [
            program_path(),
            *settings,
            f"--git-dir={self._folder / '.git'}",
            f"--work-tree={self._folder}",
            *words,
        ]
        try:
            return subprocess.run(
                command,
                cwd=self._folder,
                env={**environment(), **(more or {})},
                input=data,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            message = f"git {words[0]} took longer than {SECONDS} s. Run: freehold memory share sync"
            raise UnavailableError("timeout", message) from error


def _entry(line: bytes) -> Entry | None:
    if not line:
        return None
    head, _, path = line.partition(b"\t")
    mode, kind, oid, size = head.decode().split()
    return Entry(mode, kind, oid, path.decode("utf-8", "surrogateescape"), int(size) if size.isdecimal() else 0)


def _line_at(data: bytes, at: int) -> tuple[bytes, int]:
    end = data.index(b"\n", at)
    return data[at:end], end + 1


def _last_line(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"


def _remote_failed(what: str, done: subprocess.CompletedProcess[bytes]) -> UnavailableError:
    said = " ".join((done.stderr or done.stdout).decode("utf-8", "replace").split())
    message = (
        f"The remote cannot be {what}: {said or done.returncode}. Check the address and your access, then sync again."
    )
    return UnavailableError("remote_failed", message)
