"""`freehold memory save`: a note by hand."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from freehold.errors import UsageError
from freehold.memory.store import Saved
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of


def save(
    title: Annotated[str, typer.Argument(help="What it is about.")],
    body: Annotated[str, typer.Argument(help="The note, in Markdown; - or a pipe reads standard input.")] = "-",
    name: Annotated[str, typer.Option(help="The file's name; else one made from the title.")] = "",
    description: Annotated[str, typer.Option(help="One line for the index.")] = "",
    type_: Annotated[str, typer.Option("--type", help="A word of your own for the kind of note.")] = "",
    expected_revision: Annotated[str, typer.Option(help="The revision of the topic that this replaces.")] = "",
    allow_secrets: Annotated[
        bool, typer.Option("--allow-secrets", help="Save although something in it looks like a secret.")
    ] = False,
    project: Project = None,
    agent: Agent = "",
    as_json: AsJson = False,
) -> None:
    """Save a note as a new topic. The same note twice is recognised; to change a topic, use `edit`."""
    store = store_of(project, agent)
    saved = store.save(
        title,
        _body(body),
        name=name or None,
        description=description,
        type=type_,
        source="user",
        expected_revision=expected_revision or None,
        allow_secrets=allow_secrets,
    )
    if as_json:
        print_json(_as_data(saved))
        return
    if saved.duplicate_of:
        print(f"Nothing was written: {saved.duplicate_of} says the same already.")
    else:
        print(f"{'Saved' if saved.created else 'Changed'} {saved.name}  {saved.path}")
    for warning in saved.warnings:
        print(f"freehold: {warning}", file=sys.stderr)


def _body(body: str) -> str:
    if body != "-":
        return f"{body}\n"
    if sys.stdin.isatty():
        message = "The note is missing. Write it behind the title, or pipe it in: freehold memory save TITLE TEXT"
        raise UsageError("invalid_argument", message)
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


def _as_data(saved: Saved) -> dict[str, object]:
    return {
        "name": saved.name,
        "created": saved.created,
        "duplicate_of": saved.duplicate_of or None,
        "warnings": list(saved.warnings),
        "path": str(saved.path),
    }
