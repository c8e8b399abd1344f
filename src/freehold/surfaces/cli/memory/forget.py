"""`freehold memory forget`: away with a topic, and back again when it was a mistake."""

from __future__ import annotations

from typing import Annotated

import typer

from freehold.memory.checks.finding import command
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of


def forget(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="The topics.")],
    project: Project = None,
    agent: Agent = "",
    as_json: AsJson = False,
) -> None:
    """Move topics to the trash; `freehold memory restore NAME` brings one back."""
    store = store_of(project, agent)
    # Looked up first, so that a mistyped second name does not leave the first one half of a request.
    known = [store.topic(name).name for name in names]
    moved = {name: str(store.forget(name)) for name in known}
    if as_json:
        print_json({"forgotten": moved})
        return
    for name in moved:
        print(f"Forgot {name}. To bring it back: {command('restore', name)}")
