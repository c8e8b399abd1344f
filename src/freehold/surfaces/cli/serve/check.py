"""`freehold serve check`: whether the archive is whole."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from freehold.server.store import check as checking
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.serve.opened import opened
from freehold.surfaces.cli.serve.options import AsJson, Data, DatabaseUrl, place


def check(
    repair: Annotated[bool, typer.Option("--repair", help="Put right what is wrong.")] = False,
    data: Data = None,
    database: DatabaseUrl = "",
    as_json: AsJson = False,
) -> int:
    """Compare the database, its threads' counts and the search index with the rows; exit with 1 where they differ."""
    with opened(place(data, database)) as archive:
        report = checking.check(archive, repair=repair)
        name = archive.database.name
    if as_json:
        print_json({**asdict(report), "clean": report.clean, "database": name})
    else:
        print(f"{name}: {report.documents} documents, {len(report.faults)} faults.")
        for line in (*report.faults, *(f"Repaired: {done}." for done in report.repaired)):
            print(f"  {line}")
        if not report.clean:
            print("Put it right with: freehold serve check --repair")
    return int(not report.clean)
