"""`freehold memory show`: one topic, or the index."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from freehold.browser.marks import block
from freehold.memory.topic import render
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of
from freehold.surfaces.cli.memory.topic_data import topic_data


def show(
    name: Annotated[str, typer.Argument(help="The topic; without one, what enters a session: the index.")] = "",
    project: Project = None,
    agent: Agent = "",
    as_json: AsJson = False,
) -> None:
    """Print a topic as its file stands, or the index as agents get it."""
    store = store_of(project, agent)
    if not name:
        text = store.block()
        print_json({"path": str(store.path), "index": text}) if as_json else _print(text)
        return
    topic = store.topic(name)
    if as_json:
        print_json({**topic_data(topic, body=True), "path": str(store.path / f"{topic.name}.md")})
    else:
        _print(render(topic))


def _print(text: str) -> None:
    """Print to a pipe byte for byte, and to a terminal so that no character of the text can steer it."""
    shown = block(text) if sys.stdout.isatty() else text
    sys.stdout.write(shown if shown.endswith("\n") or not shown else f"{shown}\n")
