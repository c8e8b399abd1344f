"""`freehold serve restore`: an archive from a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from freehold.server.store import backup as saving
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.serve.opened import opened
from freehold.surfaces.cli.serve.options import AsJson, Data, DatabaseUrl, place


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `freehold serve backup` wrote.")],
    data: Data = None,
    database: DatabaseUrl = "",
    as_json: AsJson = False,
) -> None:
    """Fill an empty archive from FILE, SQLite or PostgreSQL, wherever it was saved."""
    with opened(place(data, database)) as archive:
        rows = saving.restore(archive, file.absolute())
        name = archive.database.name
    if as_json:
        print_json({"database": name, "rows": rows})
    else:
        print(f"{rows} rows are in {name}.")
