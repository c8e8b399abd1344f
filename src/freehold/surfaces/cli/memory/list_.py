"""`freehold memory list`: the topics."""

from __future__ import annotations

from freehold.surfaces.cli.console import console
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory import table
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of
from freehold.surfaces.cli.memory.topic_data import topic_data


def list_(project: Project = None, agent: Agent = "", as_json: AsJson = False) -> None:
    """List the topics, the one changed last at the end."""
    store = store_of(project, agent)
    topics = sorted(store.topics(), key=lambda topic: (topic.updated, topic.name))
    if as_json:
        print_json({"path": str(store.path), "topics": [topic_data(topic) for topic in topics]})
    elif topics:
        rows = [(one.name, one.updated[:10], one.broken or one.description or one.title) for one in topics]
        table.show(("topic", "updated", "about"), rows)
    else:
        console().print(
            "This project's memory is empty. Save a first note: freehold memory save TITLE TEXT", markup=False
        )
