"""`freehold try`: the tour's options; the tour itself is `surfaces/cli/tour/`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from freehold.surfaces.cli.tour import run


def try_(
    report: Annotated[
        Path | None, typer.Option(help="The file for the report; else a new one in the temporary folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome for machines.")] = False,
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser's window.")] = False,
) -> int:
    """Watch the tools at work in a browser and on a small site of Freehold's own; nothing of yours is touched."""
    return run(report, as_json, headed)
