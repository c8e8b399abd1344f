"""The command as a user or a script meets it: a process, its output and its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from freehold import __version__
from freehold.tools import catalog
from tests.unit.browser import machines

COMMAND = Path(sys.executable).parent / "freehold"


class Shell:
    """A user with a home of their own and a Chromium that is only a name."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.home = base / "freehold"
        self.folder = base / "project"
        self.folder.mkdir()
        machines.program(base / "bin/chromium")
        inherited = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
        self.environment = {
            **inherited,
            "HOME": str(base),
            "XDG_CONFIG_HOME": str(base / "config"),
            "FREEHOLD_HOME": str(self.home),
            "PATH": f"{base / 'bin'}:/usr/bin:/bin",
        }

    def __call__(self, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [COMMAND, *words],
            input=text,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture
def freehold(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_the_version_is_said(freehold: Shell) -> None:
    assert freehold("--version").stdout == f"freehold {__version__}\n"


@pytest.mark.parametrize(
    "words", [(), ("--help",), ("setup", "--help"), ("browser", "--help"), ("tool", "--help"), ("tool",)]
)
def test_help_is_plain_in_a_pipe(freehold: Shell, words: tuple[str, ...]) -> None:
    freehold.environment |= {"GITHUB_ACTIONS": "true", "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    said = freehold(*words)
    assert said.returncode == 0
    assert "Usage" in said.stdout
    assert "\x1b" not in said.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("nope",),
        ("setup", "--nope"),
        ("browser", "launch", "--headless=maybe"),
        ("tool", "no_such_tool"),
        ("mcp", "--project"),
        ("mcp", "--tools", "browser,wishes"),
    ],
)
def test_a_wrong_command_line_is_answered_in_one_line_with_code_2(freehold: Shell, words: tuple[str, ...]) -> None:
    said = freehold(*words)
    assert said.returncode == 2
    assert said.stdout == ""
    assert len(said.stderr.splitlines()) <= 2
    assert said.stderr.startswith("freehold: ")


@pytest.mark.parametrize("groups", ["wishes", ""])
def test_no_group_of_tools_that_exists_is_answered_with_those_that_do(freehold: Shell, groups: str) -> None:
    assert "Valid groups: browser" in freehold("mcp", "--tools", groups).stderr


def test_an_unknown_tool_is_answered_by_its_code(freehold: Shell) -> None:
    said = freehold("tool", "no_such_tool", "--json")
    assert json.loads(said.stdout)["error"]["code"] == "unknown_tool"


def test_setup_twice_then_remove_leaves_no_trace(freehold: Shell) -> None:
    before = sorted(freehold.base.rglob("*"))
    first = json.loads(freehold("setup", "--json", "--user-data-dir", str(freehold.base / "other")).stdout)
    assert {change["state"] for change in first["changes"]} == {"made"}
    assert first["extension"] == str(freehold.home / "extension")
    assert (freehold.base / "other/NativeMessagingHosts/io.freehold.host.json").exists()
    second = json.loads(freehold("setup", "--json").stdout)
    assert {change["state"] for change in second["changes"]} == {"kept"}
    removed = freehold("setup", "--remove", "--json")
    assert removed.returncode == 0
    assert sorted(freehold.base.rglob("*")) == before


def test_setup_names_the_folder_to_load_and_the_next_step(freehold: Shell) -> None:
    said = freehold("setup").stdout
    assert str(freehold.home / "extension") in said
    assert "Load unpacked" in said
    assert "freehold doctor" in said


def test_a_foreign_manifest_fails_setup_and_stays(freehold: Shell) -> None:
    file = freehold.base / "config/chromium/NativeMessagingHosts/io.freehold.host.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"name": "io.freehold.host", "path": "/elsewhere", "allowed_origins": []}')
    assert freehold("setup").returncode in (0, 1)
    file.write_text('{"name": "com.other", "path": "/elsewhere", "allowed_origins": ["chrome-extension://other/"]}')
    assert freehold("setup").returncode == 1
    assert "com.other" in file.read_text()


def test_the_doctor_fails_until_a_browser_is_connected(freehold: Shell) -> None:
    assert freehold("doctor").returncode == 1
    freehold("setup")
    said = freehold("doctor", "--json")
    assert said.returncode == 1
    report = json.loads(said.stdout)
    assert [check["hop"] for check in report["checks"] if check["state"] == "wrong"] == ["connection"]


def test_the_installed_browsers_are_listed(freehold: Shell) -> None:
    (browser,) = [b for b in json.loads(freehold("browser", "list", "--json").stdout) if b["name"] == "Chromium"]
    assert browser["executable"] == str(freehold.base / "bin/chromium")


def test_the_tools_are_listed_as_the_catalogue_has_them(freehold: Shell) -> None:
    listed = json.loads(freehold("tool", "--list", "--json").stdout)
    assert [tool["name"] for tool in listed] == [tool.name for tool in catalog.TOOLS]
    assert [tool["input_schema"] for tool in listed] == [tool.schema() for tool in catalog.TOOLS]


def test_a_browser_that_is_none_is_an_error_in_one_line(freehold: Shell) -> None:
    said = freehold("browser", "launch", "--headless", "--executable", "/no/such/browser")
    assert (said.returncode, "browser_not_found" in said.stderr) == (1, True)
    assert len(said.stderr.splitlines()) == 1


def test_a_browser_that_ends_at_once_is_an_error_with_its_last_words(freehold: Shell) -> None:
    program = machines.program(freehold.base / "broken", "#!/bin/sh\necho 'no usable sandbox' >&2\nexit 3\n")
    said = freehold("browser", "launch", "--headless", "--executable", str(program))
    assert said.returncode == 1
    assert "no usable sandbox" in said.stderr
    assert "browser_failed" in said.stderr


def test_a_wrong_setting_is_named_with_the_valid_ones(freehold: Shell) -> None:
    freehold.home.mkdir()
    (freehold.home / "config.toml").write_text("colour = 'red'\n")
    said = freehold("browser", "launch", "--headless")
    assert (said.returncode, "executable" in said.stderr) == (2, True)


@pytest.mark.parametrize("content", [b"browser = 5\n", b"\xff", None])
def test_the_doctor_names_settings_that_every_tool_stumbles_over(freehold: Shell, content: bytes | None) -> None:
    freehold("setup")
    file = freehold.home / "config.toml"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    said = freehold("tool", "tabs_context")
    assert (said.returncode, str(file) in said.stderr) == (2, True)
    checks = json.loads(freehold("doctor", "--json").stdout)["checks"]
    assert {check["hop"] for check in checks if check["state"] == "wrong"} == {"settings", "connection"}


def _make_hostile_to_git(repository: Path, spring: Path) -> None:
    subprocess.run(["git", "init", "-q", repository], check=True)
    subprocess.run(["git", "-C", repository, "config", "core.fsmonitor", str(spring)], check=True)
    for hook in ("post-checkout", "post-index-change", "pre-commit", "reference-transaction"):
        machines.program(repository / ".git/hooks" / hook, spring.read_text())


def test_a_repository_gains_nothing_by_what_it_carries(freehold: Shell) -> None:
    trap = freehold.base / "sprung"
    for name in ("msgspec", "typer", "freehold", "anyio", "rich", "sitecustomize", "json"):
        (freehold.folder / f"{name}.py").write_text(f"open({str(trap)!r}, 'w').close()\n")
    moved = freehold.base / "moved"
    for name in ("freehold.toml", "config.toml", ".freehold.toml"):
        (freehold.folder / name).write_text(f"home = {str(moved)!r}\nexecutable = {str(moved)!r}\n")
    spring = machines.program(freehold.folder / "chromium", f"#!/bin/sh\ntouch {trap}\n")
    _make_hostile_to_git(freehold.folder, spring)
    (freehold.folder / ".env").write_text(f"FREEHOLD_HOME={moved}\nFREEHOLD_SESSION=theirs\n")
    freehold.environment["PATH"] = f".:{freehold.environment['PATH']}"
    for words in (("setup",), ("doctor",), ("tool", "--list"), ("tool", "tabs_context"), ("browser", "list")):
        freehold(*words)
    initialize: dict[str, Any] = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "c", "version": "1"},
    }
    call: dict[str, Any] = {"name": "tabs_context", "arguments": {}}
    requests: tuple[dict[str, Any], ...] = (
        {"id": 0, "method": "initialize", "params": initialize},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/call", "params": call},
    )
    served = freehold("mcp", text="".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in requests))
    assert "serverInfo" in served.stdout
    launcher = freehold.home / "freehold-host"
    hostile = {**freehold.environment, "PYTHONPATH": str(freehold.folder)}
    subprocess.run(
        [launcher, "chrome-extension://other/"],
        cwd=freehold.folder,
        env=hostile,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert launcher.exists()
    assert not trap.exists()
    assert not moved.exists()
