"""Opening a project's memory as the user's settings say."""

from __future__ import annotations

from pathlib import Path

from freehold import config
from freehold.memory.project import project_of
from freehold.memory.store import Budget, Store


def opened(folder: Path, agent: str = "") -> Store:
    """Open the store of the project that `folder` is in; `agent` names a sub-agent's own.

    Nothing is made before the first write. Raises what `project_of` does.
    """
    chosen = config.load().memory
    return Store.open(project_of(folder), agent=agent or None, budget=Budget(chosen.lines, chosen.bytes))
