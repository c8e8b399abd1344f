"""The tour on a real Chromium, started as a person starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.display import display

_TRY = [sys.executable, "-m", "freehold", "try"]
# Only root makes a network namespace without one of users around it, where containers often allow the first alone.
_UNSHARE = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
_LOOPBACK_ONLY = [*_UNSHARE, "sh", "-c", 'ip link set lo up && ip -o link && exec "$@"', "sh"]


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


def _run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, "--json", "--report", str(folder / "report.html")],
        env={**_environment(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def _assert_passed(done: subprocess.CompletedProcess[str], facts: dict[str, Any], folder: Path) -> None:
    assert [step for step in facts["steps"] if not step["passed"]] == []
    assert done.returncode == 0
    assert "data:image/jpeg;base64," in (folder / "report.html").read_text("utf-8")
    assert list((folder / "home").iterdir()) == []
    assert list((folder / "tmp").iterdir()) == []


@pytest.mark.parametrize(
    ("options", "screen"), [([], nullcontext), (["--headed"], display)], ids=["without a window", "with a window"]
)
def test_the_tour_passes_and_leaves_only_its_report(
    folder: Path, options: list[str], screen: Callable[[], AbstractContextManager[None]]
) -> None:
    with screen():
        done = _run([*_TRY, *options], folder)
    _assert_passed(done, json.loads(done.stdout), folder)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has network namespaces")
def test_the_tour_passes_where_there_is_no_network_but_loopback(folder: Path) -> None:
    if subprocess.run([*_LOOPBACK_ONLY, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody make a network namespace")
    done = _run([*_LOOPBACK_ONLY, *_TRY], folder)
    *links, facts = done.stdout.splitlines()
    assert [link.split()[1] for link in links] == ["lo:"]
    _assert_passed(done, json.loads(facts), folder)


def test_a_tour_without_a_browser_fails_and_says_why(folder: Path) -> None:
    done = _run(_TRY, folder, PATH=str(folder))
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
