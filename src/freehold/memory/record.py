"""`.project.json`: whose store it is, and by what its project is known again after a move."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from freehold.errors import UnavailableError
from freehold.memory import files, git
from freehold.memory.files import ChangedError, Draft
from freehold.memory.git import GitRefusedError
from freehold.memory.project import Project

FILE = ".project.json"

# Root commits of a repository with many; the first are enough to know it again.
_MOST_ROOTS = 20
_USER = re.compile(r"(?<=://)[^/@\s]*@")


class Adoption(msgspec.Struct, frozen=True):
    """A move that the store has followed: from which path, when, and whether the user was told."""

    path: str
    when: str
    told: bool = False


class Record(msgspec.Struct, frozen=True):
    """Whose store it is: key and path of the project, and what stays its own when it is renamed.

    `birth`: when the keyed folder was made, in nanoseconds since 1970, or 0 where the file system does not say.
    """

    key: str
    path: str
    name: str
    git: bool = False
    device: int = 0
    inode: int = 0
    birth: int = 0
    roots: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    adopted: tuple[Adoption, ...] = ()
    format: int = 1


def of(project: Project) -> Record:
    """Return the record of `project` as it is now; git is asked for its roots and remotes."""
    return Record(
        key=project.key,
        path=shown(project.path),
        name=project.name,
        git=project.git,
        device=project.device,
        inode=project.inode,
        birth=project.birth,
        roots=_roots(project),
        remotes=_remotes(project),
    )


def outdated(record: Record, project: Project) -> bool:
    """Tell whether the project's folder was made anew in the same place, or has commits only now."""
    now = (project.key, project.device, project.inode, project.birth)
    return (record.key, record.device, record.inode, record.birth) != now or (project.git and not record.roots)


def of_another(told: Record, now: Record) -> bool:
    """Tell whether `told` is of another repository that stood where the one of `now` stands: made anew, other roots."""
    anew = (told.device, told.inode, told.birth) != (now.device, now.inode, now.birth)
    return anew and bool(told.roots and now.roots) and not set(told.roots) & set(now.roots)


def load(store: Path) -> Record | None:
    """Return the record of the store in the folder `store`, or None where it is missing or damaged."""
    try:
        return msgspec.json.decode(files.read(store / FILE) or b"", type=Record)
    except (msgspec.MsgspecError, OSError):
        # Damaged or out of reach: the store's own project writes it anew, and nobody else may take the store by it.
        return None


def save(store: Path, record: Record) -> None:
    """Write the record into the folder `store`."""
    file = store / FILE
    data = msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"
    was = files.read(file)
    if was == data:
        return
    draft = Draft(file, data)
    try:
        if was is None:
            draft.create()
        else:
            draft.replace(was)
    except ChangedError:
        # Another process of the same project came first, and wrote the same facts.
        return


def shown(path: Path) -> str:
    """Return `path` as text that JSON can hold."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _roots(project: Project) -> tuple[str, ...]:
    listed = _asked(project, "rev-list", "--max-parents=0", f"--max-count={_MOST_ROOTS}", "HEAD")
    return tuple(sorted(listed))


def _remotes(project: Project) -> tuple[str, ...]:
    listed = _asked(project, "config", "--local", "--get-regexp", r"^remote\..*\.url$")
    # A remote's address may carry a password.
    return tuple(sorted({_USER.sub("", line.partition(" ")[2]) for line in listed}))


def _asked(project: Project, *arguments: str) -> list[str]:
    if not project.git:
        return []
    try:
        return git.ask(project.path, *arguments).splitlines()
    except (GitRefusedError, UnavailableError):
        # No commit yet, no remote, or a history too long for the deadline: the folder itself is known without.
        return []
