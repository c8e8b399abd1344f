"""`freehold memory projects`: whose memories are on this machine."""

from __future__ import annotations

from pathlib import Path

from freehold.errors import FreeholdError
from freehold.memory import adoption
from freehold.memory.adoption import Candidate, Known
from freehold.memory.project import Project as MemoryProject
from freehold.memory.project import project_of
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory import table
from freehold.surfaces.cli.memory.options import AsJson, Project
from freehold.surfaces.cli.memory.place import folder_of


def projects(project: Project = None, as_json: AsJson = False) -> None:
    """List the memories on this machine, and which of them may be this project's from before a move.

    None is taken without you: `freehold memory adopt STORE`.
    """
    known = adoption.known_stores()
    here = _here(folder_of(project))
    candidates = {one.folder: one for one in adoption.candidates(here)} if here else {}
    own = adoption.settled(here) if here else None
    if as_json:
        print_json({"stores": [_as_data(one, own, candidates) for one in known]})
        return
    if not known:
        print("There is no memory on this machine yet. Start one: freehold memory save TITLE TEXT")
        return
    rows = [(_mark(one, own), one.folder.name, str(one.topics), _place(one)) for one in known]
    table.show(("", "store", "topics", "project"), rows)
    for one in candidates.values():
        print(f"\n{one.folder.name} may be this project's: {one.why}.")
        print(f"  → freehold memory adopt {one.folder.name}")


def _here(folder: Path) -> MemoryProject | None:
    try:
        return project_of(folder)
    except FreeholdError:
        # The list helps most where the project itself is in trouble.
        return None


def _mark(one: Known, own: Path | None) -> str:
    return "*" if one.folder == own else "" if one.here else "?"


def _place(one: Known) -> str:
    if one.record is None:
        return "not told: its .project.json is missing or damaged"
    return one.record.path if one.here else f"{one.record.path} (gone)"


def _as_data(one: Known, own: Path | None, candidates: dict[Path, Candidate]) -> dict[str, object]:
    return {
        "store": one.folder.name,
        "path": str(one.folder),
        "project": one.record.path if one.record else None,
        "name": one.record.name if one.record else None,
        "topics": one.topics,
        "exists": one.here,
        "current": one.folder == own,
        "candidate": candidates[one.folder].why if one.folder in candidates else None,
    }
