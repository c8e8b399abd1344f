"""The whole way from a shell: setup, a browser, the doctor, the tools."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from freehold.browser.launch import LaunchedBrowser
from tests.command import COMMAND, run
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio


class Shell:
    """Runs the command against the test's browser."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.folder = folder
        self._environment = {
            **os.environ,
            "FREEHOLD_HOME": str(home),
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
        }
        self._environment.pop("FREEHOLD_SESSION", None)

    def __call__(self, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return run([COMMAND, *words], folder=self.folder, environment=self._environment, text=text)

    def data(self, *words: str) -> dict[str, Any]:
        """Run a tool with `--json` and return what it answered."""
        return json.loads(self("tool", *words, "--json").stdout)


def new_tab(freehold: Shell) -> str:
    return str(freehold.data("tabs_create")["data"]["tab"]["tabId"])


@pytest.fixture
def freehold(chromium: LaunchedBrowser, home: Path, tmp_path: Path) -> Shell:
    return Shell(home, tmp_path)


async def test_after_setup_the_doctor_finds_every_hop_sound(freehold: Shell) -> None:
    freehold("setup")
    said = freehold("doctor", "--json")
    assert said.returncode == 0, said.stdout


async def test_a_tool_works_from_the_shell_and_the_next_call_sees_the_same_tab(freehold: Shell, site: Site) -> None:
    url = site.page("/", "<button>Pay</button>")
    tab = new_tab(freehold)
    try:
        went = freehold("tool", "navigate", json.dumps({"tabId": int(tab), "url": url}))
        assert went.returncode == 0, went.stderr
        assert url in freehold("tool", "tabs_context", "--json").stdout
        read = freehold("tool", "read_page", "-", text=json.dumps({"tabId": int(tab)}))
        ref = read.stdout.partition("[")[2].partition("]")[0]
        clicked = freehold("tool", "computer", "--tabId", tab, "--action", "left_click", "--ref", ref)
        assert clicked.returncode == 0, clicked.stderr
    finally:
        freehold("tool", "tabs_close", "--tabId", tab)


async def test_a_screenshot_becomes_a_file_whose_path_is_printed(freehold: Shell, site: Site) -> None:
    url = site.page("/", "<h1>Picture</h1>")
    tab = new_tab(freehold)
    try:
        freehold("tool", "navigate", "--tabId", tab, "--url", url)
        picture = freehold.folder / "page.png"
        said = freehold("tool", "computer", "--tabId", tab, "--action", "screenshot", "--output", str(picture))
        assert said.stdout.splitlines()[-1] == str(picture)
        assert picture.stat().st_size > 1000
    finally:
        freehold("tool", "tabs_close", "--tabId", tab)


async def test_a_tool_that_answers_with_an_error_ends_with_1_and_a_wrong_call_with_2(freehold: Shell) -> None:
    failed = freehold("tool", "read_page", "--tabId", "987654321")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "unknown_tab" in failed.stderr or "outside_fence" in failed.stderr
    wrong = freehold("tool", "read_page", '{"nope": 1}')
    assert (wrong.returncode, wrong.stdout) == (2, "")
