"""The options that all memory commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Project = Annotated[
    Path | None, typer.Option("--project", metavar="DIR", help="A folder of the project; else the working folder.")
]
Agent = Annotated[str, typer.Option("--agent", metavar="NAME", help="The sub-agent whose own memory is meant.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print for machines.")]
