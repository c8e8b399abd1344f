"""`freehold connect`: put Freehold into an agent that takes it as a package."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from freehold.app.pi import package, program
from freehold.app.pi.package import Change
from freehold.surfaces.cli.console import console
from freehold.surfaces.cli.machine_output import print_json

app = typer.Typer(add_completion=False)

_STYLES = {"made": "green", "kept": "dim", "removed": "green", "missing": "dim"}


@app.callback(invoke_without_command=True)
def connect(ctx: typer.Context) -> None:
    """Connect an agent that takes Freehold as a package. Agents that speak MCP need none: see docs/connect.md."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


@app.command()
def pi(
    local: Annotated[bool, typer.Option("--local", help="In the working folder's project only.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Undo it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print for machines.")] = False,
) -> None:
    """Install Freehold's package in Pi, with Pi's own command, and tell it which Python runs Freehold.

    Running it again changes nothing; run it again after Freehold's Python has moved.
    """
    found = program.find_usable()
    change = package.remove if remove else package.install
    changes = change(found, Path.cwd() if local else None)
    if as_json:
        print_json({"pi": found.version, "changes": [asdict(each) for each in changes]})
        return
    _show(changes)
    if not remove:
        console().print("\nStart [bold]pi[/] (or /reload in one that runs), then: [bold]/freehold[/]")


def _show(changes: list[Change]) -> None:
    out = console()
    for change in changes:
        style = _STYLES[change.state]
        out.print(f"[{style}]{change.state:>8}[/]  {escape(change.what)}  [dim]{escape(change.path)}[/]")
        if change.note:
            out.print(f"          {change.note}", markup=False)
