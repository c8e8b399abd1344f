"""A project that was renamed or moved finds its memory again; one that only looks like it does not."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from freehold import paths
from freehold.errors import UsageError
from freehold.memory import files, record, state
from freehold.memory import index as memory_index
from freehold.memory.folder import DEADLINE, LOCK, Folder
from freehold.memory.lock import held
from freehold.memory.project import Project, store_folder
from freehold.memory.record import Adoption, Record

# What a store has in it before anything was kept there.
_EMPTY = (record.FILE, state.FILE, LOCK, memory_index.FILE)


@dataclass(frozen=True, slots=True)
class Known:
    """A store on this machine: its folder, whose it is, how many topics it has, and whether that path still exists."""

    folder: Path
    record: Record | None
    topics: int
    here: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A store that may be a project's from before; `why` says what they share."""

    folder: Path
    record: Record
    why: str


def settled(project: Project, base: Path | None = None) -> Path:
    """Return the folder of the project's store, after its own memory from before a move has been taken over.

    Taken is only the one store whose old path is gone and whose folder is this very one: device, inode and time of
    birth. Anything less is for the user to say (`candidates`, `adopt`).
    """
    folder = store_folder(project, base)
    if is_store(folder):
        return folder
    moved = [(store, known) for store, known in _records(base) if _moved_to(known, project)]
    if len(moved) != 1:
        return folder
    store, known = moved[0]
    try:
        _take(store, folder, project, known)
    except OSError:
        # A store that cannot be renamed can still be read where it is.
        return store
    return folder


def candidates(project: Project, base: Path | None = None) -> list[Candidate]:
    """Return the stores that the user may want `adopt` to take for `project`, each with what speaks for it."""
    own = store_folder(project, base)
    mine = record.of(project)
    found = [(store, known, _shared(known, mine, project)) for store, known in _records(base) if store != own]
    return [Candidate(store, known, why) for store, known, why in found if why]


def adopt(project: Project, store: Path, base: Path | None = None) -> Path:
    """Make `store` the store of `project`, because the user says so; return its new folder.

    Raises `UsageError` (`file_not_found` where `store` is none, `conflict` where the project has topics of its own)
    and `UnavailableError` (`store_busy`, `store_read_only`).
    """
    folder = store_folder(project, base)
    if not is_store(store):
        raise UsageError("file_not_found", f"{store} is no store. See: freehold memory projects", {"path": str(store)})
    if store == folder:
        _claim(folder, project)
        return folder
    if kept := _kept(folder):
        message = (
            f"{project.name} has a memory of its own in {folder} ({kept}). "
            f"Bring the other in with: freehold memory import store {store}"
        )
        raise UsageError("conflict", message, {"path": str(folder)})
    with files.named_errors(folder):
        _take(store, folder, project, record.load(store))
    return folder


def known_stores(base: Path | None = None) -> list[Known]:
    """Return every store on this machine, by the name of its folder."""
    return [
        Known(folder, told := record.load(folder), len(Folder(folder).names()), told is not None and _here(told))
        for folder in _stores(base)
    ]


def is_store(folder: Path) -> bool:
    """Tell whether `folder` holds a store: a record, or Markdown that an agent wrote there on its own."""
    if not folder.is_dir():
        return False
    return (folder / record.FILE).exists() or any(file.suffix == ".md" for file in folder.iterdir())


def _claim(folder: Path, project: Project) -> None:
    """Say in a store that stands in the project's place already, such as one copied there, whose it is."""
    known = record.load(folder)
    if known is None or not record.outdated(known, project):
        return
    when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    moved = Adoption(known.path, when, told=True)
    with files.named_errors(folder), held(folder.parent / LOCK, seconds=DEADLINE):
        record.save(folder, msgspec.structs.replace(record.of(project), adopted=(*known.adopted, moved)))


def _kept(folder: Path) -> str:
    """Return the name of something in the store `folder` that its user may want, or an empty text."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except FileNotFoundError:
        return ""
    for name in names:
        bare = memory_index.TITLE.encode().strip() if name == memory_index.FILE else None
        if name not in _EMPTY or (bare is not None and (files.read(folder / name) or b"").strip() not in {b"", bare}):
            return name
    return ""


def _take(store: Path, folder: Path, project: Project, known: Record | None) -> None:
    with held(folder.parent / LOCK, seconds=DEADLINE):
        if not store.is_dir():
            return
        if folder.is_dir():
            # Nothing is taken away before it is sure that all of it may be.
            if kept := _kept(folder):
                raise OSError(errno.ENOTEMPTY, f"{kept} in it", str(folder))
            for name in _EMPTY:
                (folder / name).unlink(missing_ok=True)
            folder.rmdir()
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        before = known.adopted if known else ()
        mine = record.of(project)
        moved = Adoption(known.path if known else record.shown(store), when)
        # The record first: a store that says whose it is under its old name is found again after a kill.
        record.save(store, msgspec.structs.replace(mine, adopted=(*before, moved)))
        store.rename(folder)
        files.sync_folder(folder.parent)


def _shared(known: Record, mine: Record, project: Project) -> str:
    """Return what `known` has in common with the project, in words, or an empty text."""
    gone = "" if _here(known) else "its folder is gone, and "
    if _is_this(known, project):
        return f"{gone}it is of this very folder"
    if project.git and not known.git and Path(known.path) / ".git" == project.path:
        return "it was kept for this folder before it became a repository"
    if known.inode == project.inode and set(known.roots) & set(mine.roots):
        return f"{gone}inode and first commit are the same, the device has another number"
    if set(known.roots) & set(mine.roots):
        return f"{gone}the first commit is the same, as in a clone or fork"
    if set(known.remotes) & set(mine.remotes):
        return f"{gone}a remote is the same"
    return ""


def _moved_to(known: Record, project: Project) -> bool:
    return _is_this(known, project) and (known.key == project.key or not _here(known))


def _is_this(known: Record, project: Project) -> bool:
    if (known.device, known.inode) != (project.device, project.inode):
        return False
    # ext4 gives the inode of a removed folder to the next one that is made: the time of birth tells them apart.
    return not (known.birth and project.birth) or known.birth == project.birth


def _here(known: Record) -> bool:
    try:
        os.lstat(known.path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        # Out of reach is not gone.
        return True
    return True


def _records(base: Path | None) -> Iterator[tuple[Path, Record]]:
    for folder in _stores(base):
        known = record.load(folder)
        if known is not None:
            yield folder, known


def _stores(base: Path | None) -> list[Path]:
    home = paths.project_memory(base)
    try:
        return sorted(Path(entry.path) for entry in os.scandir(home) if entry.is_dir() and "__" in entry.name)
    except FileNotFoundError:
        return []
