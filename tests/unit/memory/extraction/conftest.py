from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from freehold.memory.extraction.extraction import Extraction
from freehold.memory.extraction.settings import ExtractionSettings
from freehold.memory.store import Store
from freehold.model.completer import Completer
from tests.unit.memory.extraction.fakes import FakeClock, ScriptedModel, Talk


class Place:
    """One project's store on the disk, and sessions of it one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = FakeClock()
        self.store = Store.open(folder / "store", now=lambda: "2026-01-01T00:00:00Z")
        self._sessions = 0

    def extraction(self, model: Completer | None = None, **settings: Any) -> Extraction:
        chosen = ExtractionSettings(auto_extract=True, extract_model="session")
        chosen = msgspec.structs.replace(chosen, **settings)
        return Extraction(
            self.store,
            model or ScriptedModel('{"memories": []}'),
            chosen,
            clock=self.clock,
            cache=self.folder / "cache",
        )

    def talk(self, extraction: Extraction, *, kept: bool = True) -> Talk:
        """Open a session."""
        self._sessions += 1
        name = f"session{self._sessions}"
        talk = Talk(extraction.observe, self.folder / "sessions" / f"{name}.jsonl" if kept else None, name)
        talk.open()
        return talk

    def bodies(self) -> dict[str, str]:
        return {topic.name: topic.body for topic in self.store.topics()}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)
