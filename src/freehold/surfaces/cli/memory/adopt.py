"""`freehold memory adopt`: a memory from before, because the user says that it is this project's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from freehold import paths
from freehold.errors import UsageError
from freehold.memory import adoption
from freehold.memory.project import project_of
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import AsJson, Project
from freehold.surfaces.cli.memory.place import folder_of


def adopt(
    store: Annotated[str, typer.Argument(help="The store: its name, as `freehold memory projects` lists it.")],
    project: Project = None,
    as_json: AsJson = False,
) -> None:
    """Make a store that is on this machine the memory of this project."""
    here = project_of(folder_of(project))
    folder = adoption.adopt(here, _folder(store))
    if as_json:
        print_json({"path": str(folder)})
    else:
        print(f"{store} is the memory of {here.name} now: {folder}")


def _folder(store: str) -> Path:
    name = Path(store).name
    folder = paths.project_memory() / name
    if not name or not folder.is_dir():
        listed = ", ".join(one.folder.name for one in adoption.known_stores()) or "none"
        raise UsageError("file_not_found", f"There is no store {store!r}. There are: {listed}.", {"store": store})
    return folder
