from __future__ import annotations

import os
from pathlib import Path

import pytest

from freehold.memory.share.merge import Names, topic
from tests.unit.memory.repositories import program
from tests.unit.memory.share.team import Team


def test_no_git_that_lies_in_the_store_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    team = Team(tmp_path)
    team.ann.save("Fine", "to share")
    program(team.ann.store.path, f"touch {tmp_path}/ran; exit 1")
    monkeypatch.chdir(team.ann.store.path)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    assert team.ann.init().sent == ["MEMORY.md", "fine.md"]
    assert topic("a\n", "b\n", "c\n", Names("Ann", "Bob")).conflict
    assert not (tmp_path / "ran").exists()
