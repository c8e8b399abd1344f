"""The store that a command works on."""

from __future__ import annotations

import sys
from pathlib import Path

from freehold.app import project_store
from freehold.memory.store import Store


def store_of(project: Path | None, agent: str = "") -> Store:
    """Open the store of the project in `project`, else of the working folder, and say on standard error what is new."""
    store = project_store.opened(project or Path.cwd(), agent)
    for note in store.notices():
        print(f"freehold: {note}", file=sys.stderr)
    return store


def folder_of(project: Path | None) -> Path:
    """Return the folder that was asked about, absolute."""
    return (project or Path.cwd()).absolute()
