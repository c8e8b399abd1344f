"""`freehold memory`: what a project's agents keep, for the people who read and mend it."""

from __future__ import annotations

from typing import ClassVar

import typer

from freehold.surfaces.cli.lazy_group import LazyGroup

_HERE = "freehold.surfaces.cli.memory"


class MemoryCommands(LazyGroup):
    """One file a command; each is imported when it is called."""

    places: ClassVar = {
        "path": f"{_HERE}.path:path",
        "list": f"{_HERE}.list_:list_",
        "show": f"{_HERE}.show:show",
        "search": f"{_HERE}.search:app",
        "save": f"{_HERE}.save:save",
        "edit": f"{_HERE}.edit:edit",
        "forget": f"{_HERE}.forget:forget",
        "restore": f"{_HERE}.restore:restore",
        "projects": f"{_HERE}.projects:projects",
        "adopt": f"{_HERE}.adopt:adopt",
        "reindex": f"{_HERE}.reindex:reindex",
        "doctor": f"{_HERE}.doctor:doctor",
        "export": f"{_HERE}.export:export",
        "import": f"{_HERE}.import_:app",
        "prompt": f"{_HERE}.prompt:prompt",
        "config": f"{_HERE}.config:config",
        "share": f"{_HERE}.share:app",
    }


app = typer.Typer(
    cls=MemoryCommands,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Read, search and mend this project's memory: Markdown that you and your agents share.",
)


@app.callback()
def memory() -> None:
    """Read, search and mend this project's memory: Markdown that you and your agents share.

    Every command works on the project of the working folder, or of `--project DIR`. The exit code is 1 when a command
    failed or found nothing, 2 when it was called wrongly.
    """
