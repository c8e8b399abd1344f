"""Files that a topic names and the repository no longer has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from freehold.errors import UnavailableError
from freehold.memory import git
from freehold.memory.checks.finding import Finding, command
from freehold.memory.git import GitRefusedError
from freehold.memory.topic import Topic

_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?:\./)?((?:[\w@+.-]+/)*[\w@+.-]+)(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)?/?")


def missing(topics: Iterable[Topic], folder: Path) -> Iterator[Finding]:
    """Yield each path in backticks that is not in the repository of `folder` and once was, or is in a folder of it.

    Names of other things, such as `origin/main`, do not begin with a folder that the repository has, nor did it ever
    have such a file.
    """
    top = _top(folder)
    if top is None:
        return
    once: set[str] | None = None
    for topic in topics:
        before = topic.front.count("\n")
        for number, line in enumerate(topic.body.splitlines(), before + 1):
            for path in _paths(line):
                if (top / path).exists() or (folder / path).exists():
                    continue
                if once is None:
                    once = _once(top)
                if path in once or _in_known_folder(top, path):
                    detail = f"{path} {'was deleted' if path in once else 'is not in the repository'}."
                    yield Finding("missing_path", topic.name, detail, command("edit", topic.name), line=number)


def _paths(line: str) -> Iterator[str]:
    for code in _CODE.findall(line):
        match = _PATH.fullmatch(code.strip())
        if match and ".." not in PurePosixPath(match[1]).parts:
            yield match[1]


def _in_known_folder(top: Path, path: str) -> bool:
    parts = PurePosixPath(path).parts
    # A made file, such as dist/app.js, comes and goes; only what looks like a source file is missed.
    return len(parts) > 1 and "." in parts[-1] and (top / parts[0]).is_dir()


def _top(folder: Path) -> Path | None:
    try:
        return Path(git.ask(folder, "rev-parse", "--show-toplevel"))
    except (GitRefusedError, UnavailableError):
        return None


def _once(top: Path) -> set[str]:
    """Return the paths of the last commit, and those that a commit before deleted or renamed away."""
    tree = ("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD")
    deleted = ("log", "--no-renames", "--diff-filter=D", "--name-only", "--format=", "-z")
    return {path for asked in (tree, deleted) for path in _asked(top, *asked)}


def _asked(top: Path, *words: str) -> list[str]:
    try:
        return git.ask(top, *words).split("\0")
    except (GitRefusedError, UnavailableError):
        # No commit yet, or a history too long for the deadline: then only folders that are there tell.
        return []
