"""`freehold archive import`: past sessions of Pi, Claude Code or Codex."""

from __future__ import annotations

from enum import Enum
from functools import partial
from pathlib import Path
from typing import Annotated

import anyio
import typer

from freehold.app.archiving import archiving
from freehold.archive.importing import Session, sessions_of
from freehold.surfaces.cli.archive.answer import AsJson
from freehold.surfaces.cli.archive.progress import report, watched


class Agent(Enum):
    """Whose sessions can be read."""

    PI = "pi"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"


def import_(
    source: Annotated[Agent, typer.Option("--from", help="Whose sessions.")],
    files: Annotated[list[Path] | None, typer.Argument(help="Session files; else all there are.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
    as_json: AsJson = False,
) -> int:
    """Bring past sessions into the archive; nothing in them is changed.

    What is there already is passed over, so it can be stopped and run again. The exit code is 1 when a session failed;
    each says why.
    """
    sessions = sessions_of(source.value, tuple(file.absolute() for file in files or ()))
    return anyio.run(partial(_import, sessions, dry_run=dry_run, as_json=as_json))


async def _import(sessions: list[Session], *, dry_run: bool, as_json: bool) -> int:
    async with archiving() as archive:
        left = archive.importing.open(sessions)
        client = archive.connection.client
        outcomes = archive.importing.plan(left) if dry_run else archive.importing.run(client, left)
        found = await watched(outcomes, len(left))
    return report(archive.connection.backend.name, found, len(sessions) - len(left), as_json=as_json)
