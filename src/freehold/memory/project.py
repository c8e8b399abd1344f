"""Which project a folder belongs to: what its memory is keyed by."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from freehold import paths
from freehold.errors import UsageError
from freehold.memory import git
from freehold.memory.birth import birth_of
from freehold.memory.git import GitRefusedError


@dataclass(frozen=True, slots=True)
class Project:
    """A project.

    `path`: what the memory is keyed by, the canonical Git common directory, or the canonical folder where there is no
    Git. `key`: SHA-256 of that path. `name`: for people. `folder`: the folder that was asked about. `git`: whether it
    is keyed by a repository. `note`: what the user should know about the choice, or empty. `device`, `inode` and
    `birth` (nanoseconds since 1970, 0 where unknown) are of `path`, and stay when it is renamed.
    """

    path: Path
    key: str
    name: str
    folder: Path
    git: bool = False
    note: str = ""
    device: int = 0
    inode: int = 0
    birth: int = 0


def project_of(folder: Path) -> Project:
    """Return the project of `folder`.

    Raises `UsageError` (`file_not_found`) where there is no such folder, `UnavailableError` (`git_failed`) where it is
    a repository and git is missing or does not answer.
    """
    if not folder.is_dir():
        message = f"There is no folder {folder}. Name the folder of a project."
        raise UsageError("file_not_found", message, {"path": str(folder)})
    folder = canonical(folder)
    top = _repository_above(folder)
    if top is None:
        return _keyed(folder, folder)
    try:
        common = canonical(folder / git.ask(folder, "rev-parse", "--git-common-dir"))
    except GitRefusedError as error:
        return _keyed(top, folder, note=_refusal(top, str(error)))
    return _keyed(common, folder, is_git=True)


def store_folder(project: Project, base: Path | None = None) -> Path:
    """Return the folder of the project's store; it may not exist yet. `base` stands in for `paths.agent_folder()`."""
    readable = re.sub(r"[^\w.-]+", "-", project.name).strip("-.")[:40] or "project"
    return paths.project_memory(base) / f"{readable}__{project.key[:12]}"


def canonical(
    path: Path,
    *,
    same: Callable[[Path, Path], bool] = os.path.samefile,
    names: Callable[[Path], list[str]] = os.listdir,
) -> Path:
    """Return `path` without links, as the file system spells it: one folder has one path, whoever typed it.

    `same` tells whether two existing paths are one file (raising `OSError` otherwise), `names` lists a folder.
    """
    real = Path(os.path.realpath(path))
    spelled = Path(real.anchor)
    for part in real.parts[1:]:
        spelled /= _spelled(spelled, part, same, names)
    return spelled


def _spelled(parent: Path, part: str, same: Callable[[Path, Path], bool], names: Callable[[Path], list[str]]) -> str:
    """Return the name of `part` in its folder, where the file system takes several spellings for one (macOS)."""
    others = {part.swapcase(), unicodedata.normalize("NFC", part), unicodedata.normalize("NFD", part)} - {part}
    try:
        if not any(_same(parent / part, parent / other, same) for other in others):
            return part
        listed = names(parent)
    except OSError:
        # A parent that may be passed through but not listed: the spelling as it was typed must do.
        return part
    alike = [name for name in listed if _folded(name) == _folded(part)]
    return part if part in listed or not alike else alike[0]


def _same(one: Path, other: Path, same: Callable[[Path, Path], bool]) -> bool:
    try:
        return same(one, other)
    except FileNotFoundError:
        return False


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _keyed(path: Path, folder: Path, *, is_git: bool = False, note: str = "") -> Project:
    key = hashlib.sha256(os.fsencode(path)).hexdigest()
    facts = path.stat()
    return Project(path, key, _name(path), folder, is_git, note, facts.st_dev, facts.st_ino, birth_of(path))


def _name(path: Path) -> str:
    named = path.parent if path.name == ".git" else path
    return named.name.removesuffix(".git") or "root"


def _repository_above(folder: Path) -> Path | None:
    """Return the nearest folder that git would look at: one with `.git` in it, or itself a bare repository."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists() or ((candidate / "HEAD").is_file() and (candidate / "objects").is_dir()):
            return candidate
    return None


def _refusal(top: Path, said: str) -> str:
    if "dubious ownership" in said:
        why = f"git does not trust {top}, which belongs to another user"
        cure = f" To key it by its repository, run: git config --global --add safe.directory {top}"
    else:
        why, cure = (
            f"git cannot read the repository in {top} ({said.splitlines()[0] if said else 'no reason given'})",
            "",
        )
    return f"{why}; its memory is keyed by the folder.{cure}"
