"""Which archive is meant: a file, by default the user's own, or a PostgreSQL database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from freehold import paths
from freehold.errors import UsageError

Data = Annotated[Path | None, typer.Option("--data", metavar="FILE", help="The SQLite file; else your own archive.")]
DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="URL",
        help="A PostgreSQL database, 15 or newer; FREEHOLD_DATABASE keeps a password out of the list of processes.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print for machines.")]


def place(data: Path | None, database: str) -> Path | str:
    """Return the archive that is meant; raise `UsageError` (`invalid_argument`) where two are."""
    if data and database:
        raise UsageError("invalid_argument", "Name the archive once: either --data FILE or --database URL.")
    if data:
        return data.absolute()
    return database or os.environ.get("FREEHOLD_DATABASE") or paths.archive()
