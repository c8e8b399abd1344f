from __future__ import annotations

import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from freehold.bridge import pairing
from tests.contract.fake_extension import make_home
from tests.contract.shell import Shell


@pytest.fixture
def home() -> Generator[Path]:
    # Not in tmp_path: with pytest's long names a socket's path would not fit into its address.
    with tempfile.TemporaryDirectory(prefix="fh-") as folder:
        yield make_home(Path(folder))


@pytest.fixture
def key(home: Path) -> bytes:
    return pairing.read(home / "pairing.key")


@pytest.fixture
def freehold(tmp_path: Path) -> Shell:
    return Shell(tmp_path)
