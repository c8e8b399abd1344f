"""`freehold memory share`: one memory for a team, through any Git remote."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.markup import escape

from freehold.browser.marks import one_line
from freehold.memory.share import sync as sharing
from freehold.memory.share.files import StoreFiles
from freehold.memory.share.report import Report
from freehold.surfaces.cli.console import console
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import AsJson, Project
from freehold.surfaces.cli.memory.place import store_of

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Share this memory with a team, through any Git remote."
)

_SIGNS = {
    "new": "[green]+[/]",
    "changed": "[green]~[/]",
    "removed": "[yellow]-[/]",
    "conflict": "[bold red]![/]",
}


@app.command()
def init(
    remote: Annotated[str, typer.Argument(help="The address of an empty or shared Git repository.")],
    project: Project = None,
    as_json: AsJson = False,
) -> int:
    """Make the memory a Git repository of its own, connect it with REMOTE, and synchronise a first time."""
    store = store_of(project)
    store.prepare()
    return _answer(sharing.init(StoreFiles(store), remote), as_json=as_json)


@app.command()
def sync(
    allow_deletions: Annotated[
        bool, typer.Option("--allow-deletions", help="Delete for everybody, though most topics are gone here.")
    ] = False,
    project: Project = None,
    as_json: AsJson = False,
) -> int:
    """Take in what the others wrote, send what is new here, and show both.

    The exit code is 1 when something is left for you: a conflict, a file that was not taken or not sent.
    """
    return _answer(sharing.sync(StoreFiles(store_of(project)), allow_deletions=allow_deletions), as_json=as_json)


def _answer(report: Report, *, as_json: bool) -> int:
    if as_json:
        print_json({**asdict(report), "clean": report.clean})
    else:
        _show(report)
    return int(not report.clean)


def _show(report: Report) -> None:
    out = console()
    out.print(f"Shared through {escape(report.remote)}")
    if report.received:
        out.print(f"Came in, last written by {escape(one_line(report.author))}:")
    for one in report.received:
        out.print(f"  {_SIGNS[one.state]} {escape(one_line(one.name))}  [dim]+{one.added} -{one.removed}[/]")
        if one.state == "conflict":
            fix = f"freehold memory edit {one.name.removesuffix('.md')}"
            out.print(f"    both versions stand in it, marked → {escape(one_line(fix))}")
        if one.state == "removed":
            fix = f"freehold memory restore {one.name.removesuffix('.md')}"
            out.print(f"    [dim]to keep it here → {escape(one_line(fix))}[/]")
    if report.sent:
        out.print(f"Sent: {escape(', '.join(map(one_line, report.sent)))}")
    for refused in report.refused:
        out.print(
            f"[yellow]Not taken:[/] {escape(one_line(refused.path))} is {escape(one_line(refused.why.rstrip('.')))}."
        )
    for held in report.held_back:
        out.print(f"[yellow]Not sent:[/] {escape(one_line(held.name))}: {escape(held.why)}.")
    if not (report.received or report.sent):
        out.print("Nothing is new on either side.")
