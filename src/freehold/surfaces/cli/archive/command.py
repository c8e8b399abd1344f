"""`freehold archive`: past conversations and long-term memories, for the people whose they are."""

from __future__ import annotations

from typing import ClassVar

import typer

from freehold.surfaces.cli.lazy_group import LazyGroup

_HERE = "freehold.surfaces.cli.archive"


class ArchiveCommands(LazyGroup):
    """One file a command; each is imported when it is called."""

    places: ClassVar = {
        "search": f"{_HERE}.search:search",
        "read": f"{_HERE}.read:read",
        "list": f"{_HERE}.list_:list_",
        "save": f"{_HERE}.save:save",
        "import": f"{_HERE}.import_:import_",
        "sync": f"{_HERE}.sync:sync",
        "export": f"{_HERE}.export:export",
    }


app = typer.Typer(
    cls=ArchiveCommands,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Search, read and fill the archive of past conversations and long-term memories.",
)


@app.callback()
def archive() -> None:
    """Search, read and fill the archive of past conversations and long-term memories.

    It works at once, on a server inside this process; `freehold doctor` says which server is used and why. The exit
    code is 1 when a command failed or found nothing, 2 when it was called wrongly.
    """
