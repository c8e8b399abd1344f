"""The tour on a real Chromium, started as a person starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_TRY = [sys.executable, "-m", "freehold", "try"]


@pytest.fixture
def folder() -> Iterator[Path]:
    """The user's home and temporary folder, where the tour may leave nothing but its report.

    Not pytest's own folder: the browser keeps a socket in it, whose whole path may have 107 bytes (unix(7)).
    """
    with tempfile.TemporaryDirectory(prefix="fh-") as name:
        made = Path(name)
        (made / "home").mkdir()
        (made / "tmp").mkdir()
        yield made


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "FREEHOLD_HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp")}


def test_the_tour_passes_and_leaves_only_its_report(folder: Path) -> None:
    report = folder / "report.html"
    done = subprocess.run(
        [*_TRY, "--json", "--report", str(report)],
        env=_environment(folder),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    facts = json.loads(done.stdout)
    failed = [step for step in facts["steps"] if not step["passed"]]
    assert failed == []
    assert done.returncode == 0
    assert "data:image/jpeg;base64," in report.read_text("utf-8")
    assert list((folder / "home").iterdir()) == []
    assert list((folder / "tmp").iterdir()) == []


def test_a_tour_without_a_browser_fails_and_says_why(folder: Path) -> None:
    done = subprocess.run(
        [*_TRY, "--json", "--report", str(folder / "report.html")],
        env={**_environment(folder), "PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    facts = json.loads(done.stdout)
    assert done.returncode == 1
    assert not facts["passed"]
    assert "[browser_not_found]" in facts["steps"][0]["error"]


def test_a_tour_that_is_interrupted_ends_its_browser_and_its_folder(folder: Path) -> None:
    with subprocess.Popen(
        [*_TRY, "--report", str(folder / "report.html")],
        env=_environment(folder),
        stdout=subprocess.PIPE,
        text=True,
    ) as tour:
        assert tour.stdout
        tour.stdout.readline()
        tour.send_signal(signal.SIGINT)
        tour.communicate(timeout=60)
    assert tour.returncode == 128 + signal.SIGINT
    assert list((folder / "tmp").iterdir()) == []
    assert not _processes_that_name(str(folder / "tmp"))


def _processes_that_name(text: str) -> list[str]:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if text in line]
