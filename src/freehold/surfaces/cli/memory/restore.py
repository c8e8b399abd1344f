"""`freehold memory restore`: what was forgotten."""

from __future__ import annotations

from typing import Annotated

import typer

from freehold.memory.store import Store
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory import table
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of
from freehold.surfaces.cli.memory.topic_data import topic_data


def restore(
    name: Annotated[str, typer.Argument(help="The topic; without one, the trash is listed.")] = "",
    project: Project = None,
    agent: Agent = "",
    as_json: AsJson = False,
) -> None:
    """Bring back a forgotten topic, or list what there is to bring back."""
    store = store_of(project, agent)
    if not name:
        _list(store, as_json=as_json)
        return
    topic = store.restore(name)
    if as_json:
        print_json(topic_data(topic))
    else:
        print(f"Restored {topic.name}  {store.path / topic.name}.md")


def _list(store: Store, *, as_json: bool) -> None:
    trash = store.trash()
    if as_json:
        print_json({"trash": [{"name": one.name, "title": one.title, "when": one.when} for one in trash]})
    elif trash:
        table.show(("topic", "forgotten", "title"), [(one.name, one.when, one.title) for one in trash])
    else:
        print("The trash is empty.")
