"""The folders that other tools may have filed a project under: its work trees, and the folder itself."""

from __future__ import annotations

from pathlib import Path

from freehold.errors import UnavailableError
from freehold.memory import git
from freehold.memory.git import GitRefusedError


def roots_of(folder: Path) -> list[Path]:
    """Return the folders of all work trees of the repository that `folder` is in, and `folder` itself."""
    try:
        listed = git.ask(folder, "worktree", "list", "--porcelain")
    except (GitRefusedError, UnavailableError):
        listed = ""
    trees = [Path(line.removeprefix("worktree ")) for line in listed.splitlines() if line.startswith("worktree ")]
    return list(dict.fromkeys([*trees, folder, folder.resolve()]))
