"""Stores whose project is gone: a memory that nobody reads any more, perhaps this project's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from freehold.memory import adoption
from freehold.memory.checks.finding import Finding, command
from freehold.memory.project import Project


def orphaned(project: Project, base: Path | None = None) -> Iterator[Finding]:
    """Yield the stores that may be the project's from before, and those whose project is not where it was."""
    candidates = {one.folder: one for one in adoption.candidates(project, base)}
    for store in adoption.known_stores(base):
        if not store.topics or store.here or store.record is None:
            continue
        name, gone = store.folder.name, f"Its project, {store.record.path}, is not there any more"
        if store.folder in candidates:
            detail = f"{gone}. It may be this one's: {candidates[store.folder].why}."
            yield Finding("orphaned_store", name, detail, command("adopt", name), "note")
        else:
            detail = f"{gone}; it has {store.topics} topics."
            yield Finding("orphaned_store", name, detail, command("import", "store", str(store.folder)), "note")
