"""The command as a user or a script meets it: a process, its output and its exit code."""

from __future__ import annotations

import json
import subprocess

import pytest

from freehold import __version__
from freehold.tools import catalog
from tests.contract.shell import Shell
from tests.unit.browser import machines


def test_the_version_is_said(freehold: Shell) -> None:
    assert freehold("--version").stdout == f"freehold {__version__}\n"


@pytest.mark.parametrize(
    "words", [(), ("--help",), ("setup", "--help"), ("browser", "--help"), ("browser",), ("tool", "--help"), ("tool",)]
)
def test_help_is_plain_in_a_pipe(freehold: Shell, words: tuple[str, ...]) -> None:
    freehold.environment |= {"GITHUB_ACTIONS": "true", "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    said = freehold(*words)
    assert said.returncode == 0
    assert "Usage" in said.stdout
    assert "\x1b" not in said.stdout
    assert "completion" not in said.stdout  # it would be one subcommand's, of a program that is not on the path
    assert said.stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        ("nope",),
        ("setup", "--nope"),
        ("browser", "launch", "--headless=maybe"),
        ("tool", "no_such_tool"),
        ("mcp", "--project"),
        ("mcp", "--tools", "browser,wishes"),
        ("mcp", "--tools", ""),
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


def test_a_path_that_looks_like_markup_is_said_whole(freehold: Shell) -> None:
    freehold.home = freehold.base / "[red]house"
    freehold.environment["FREEHOLD_HOME"] = str(freehold.home)
    freehold.environment["XDG_CONFIG_HOME"] = str(freehold.base / "[b]config")
    for words in (("setup",), ("setup",), ("setup", "--remove")):
        assert str(freehold.home / "extension") in freehold(*words).stdout
    assert str(freehold.base / "[b]config") in freehold("browser", "list").stdout


def test_setup_names_the_folder_to_load_and_the_next_step(freehold: Shell) -> None:
    said = freehold("setup").stdout
    assert str(freehold.home / "extension") in said
    assert "Load unpacked" in said
    command = said.splitlines()[-1].removeprefix("Then: ")
    assert command.endswith(" doctor")
    told = subprocess.run(["/bin/sh", "-c", f"{command} --help"], env=freehold.environment, timeout=60, check=False)
    assert told.returncode == 0


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
