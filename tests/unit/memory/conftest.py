from __future__ import annotations

from pathlib import Path

import pytest

from freehold.memory.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with a clock that goes on by a second at each look."""
    moments = iter(f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z" for number in range(1_000))
    return Store.open(tmp_path / "store", now=lambda: next(moments))
