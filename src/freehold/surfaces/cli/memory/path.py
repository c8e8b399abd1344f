"""`freehold memory path`: where the memory is."""

from __future__ import annotations

from typing import Annotated

import typer

from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of


def path(
    name: Annotated[str, typer.Argument(help="A topic, for the path of its file.")] = "",
    project: Project = None,
    agent: Agent = "",
    as_json: AsJson = False,
) -> None:
    """Print the folder of this project's memory, which is made if need be, or the file of one topic."""
    store = store_of(project, agent)
    store.prepare()
    place = store.path / f"{store.topic(name).name}.md" if name else store.path
    if as_json:
        print_json({"path": str(place)})
    else:
        print(place)
