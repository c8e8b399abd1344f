"""`freehold memory reindex`: an index that lists what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from freehold.browser.marks import one_line
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of

_SIGNS = {"add": "+", "remove": "-", "duplicate": "-"}


def reindex(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
    project: Project = None,
    agent: Agent = "",
    as_json: AsJson = False,
) -> None:
    """Add missing lines to MEMORY.md and take dead ones out; lines that you wrote stay. Shows every change."""
    changes = store_of(project, agent).reindex(dry_run=dry_run)
    if as_json:
        listed = [{"kind": change.kind, "name": change.name, "line": change.line} for change in changes]
        print_json({"dry_run": dry_run, "changes": listed})
        return
    for change in changes:
        print(f"{_SIGNS.get(change.kind, '~')} {one_line(change.line)}")
    if not changes:
        print("The index lists what there is; nothing to change.")
    elif dry_run:
        print("Nothing was changed. To do it: freehold memory reindex")
