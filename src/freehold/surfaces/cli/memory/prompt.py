"""`freehold memory prompt`: the block that tells any agent of its memory."""

from __future__ import annotations

from freehold.memory.prompt import instructions
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of


def prompt(project: Project = None, agent: Agent = "", as_json: AsJson = False) -> None:
    """Print where the memory is, how to keep it, and its index: for AGENTS.md, a hook, or a system prompt.

    The same bytes as long as nothing has changed, so that a model's prompt cache holds.
    """
    store = store_of(project, agent)
    store.prepare()
    text = instructions(store)
    if as_json:
        print_json({"path": str(store.path), "prompt": text})
    else:
        print(text, end="")
