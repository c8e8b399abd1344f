"""`freehold serve backup`: the whole archive in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from freehold.server.store import backup as saving
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.serve.opened import opened
from freehold.surfaces.cli.serve.options import AsJson, Data, DatabaseUrl, place


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write, such as archive.jsonl.gz.")],
    data: Data = None,
    database: DatabaseUrl = "",
    as_json: AsJson = False,
) -> None:
    """Save the whole archive, as it is at this moment, to FILE. The server may go on meanwhile."""
    with opened(place(data, database)) as archive:
        rows = saving.save(archive, file.absolute())
    if as_json:
        print_json({"file": str(file.absolute()), "rows": rows})
    else:
        print(f"{rows} rows are saved in {file}.")
