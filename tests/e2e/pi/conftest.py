"""A scripted model and a Pi of their own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import Model, serving
from tests.e2e.pi.record import Record


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as running:
        yield running


@pytest.fixture
def pi(tmp_path: Path, model: Model) -> PiHost:
    return PiHost(tmp_path, model)


@pytest.fixture
def record(pi: PiHost, tmp_path: Path) -> Record:
    """Put the fake worker in the place of Freehold's."""
    record = Record(tmp_path / "record.jsonl")
    pi.settings(command=record.command)
    return record
