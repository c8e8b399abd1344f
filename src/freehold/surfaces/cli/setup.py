"""`freehold setup`: make this user's browsers able to talk to Freehold."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from freehold import paths
from freehold.browser import installed
from freehold.browser import setup as installation
from freehold.browser.setup import Change
from freehold.surfaces.cli.console import console
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.own_command import own_command

_STYLES = {"made": "green", "updated": "green", "kept": "dim", "removed": "green", "left": "yellow", "blocked": "red"}


def setup(
    user_data_dir: Annotated[
        list[Path] | None, typer.Option(help="Also the browser that keeps its data here; may be repeated.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Undo everything that setup wrote.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print for machines.")] = False,
) -> None:
    """Connect the installed browsers: the pairing key, the host, and a folder with the extension to load.

    Running it again changes nothing; after an upgrade it brings everything up to date.
    """
    browsers = (
        *installed.installed(installed.Machine.this()),
        *(installed.at(folder) for folder in user_data_dir or ()),
    )
    home, source = paths.home(), paths.extension_source()
    change = installation.remove if remove else installation.install
    changes = change(home, browsers, source)
    if as_json:
        print_json({"extension": str(paths.extension(home)), "changes": [asdict(change) for change in changes]})
    else:
        _show(changes)
        if not remove:
            _say_what_is_next(paths.extension(home), connected=any(not browser.confined for browser in browsers))
    if any(change.state == "blocked" and not _confined(change) for change in changes):
        raise typer.Exit(1)


def _confined(change: Change) -> bool:
    return not change.path.endswith(".json")


def _show(changes: list[Change]) -> None:
    out = console()
    for change in changes:
        style = _STYLES[change.state]
        out.print(f"[{style}]{change.state:>8}[/]  {escape(change.what)}  [dim]{escape(change.path)}[/]")
        if change.note:
            out.print(f"          {change.note}", markup=False)
    if not changes:
        out.print("There was nothing to remove.")


def _say_what_is_next(extension: Path, *, connected: bool) -> None:
    out = console()
    if not connected:
        out.print("\n[yellow]No browser was found.[/] Install one, or name its data folder with --user-data-dir.")
    out.print("\nOnce, in each browser (an upgrade keeps the folder):")
    out.print("  1. Open [bold]chrome://extensions[/] and switch on [bold]Developer mode[/].")
    out.print("  2. Click [bold]Load unpacked[/].")
    out.print(f"  3. Choose the folder [bold]{escape(str(extension))}[/]")
    out.print(f"\nThen: {escape(own_command())} doctor")
