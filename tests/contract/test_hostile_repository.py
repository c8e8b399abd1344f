"""A repository that an agent works in carries whatever its author liked; none of it runs, and none of it counts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.contract.shell import Shell
from tests.unit.browser import machines

INITIALIZE: dict[str, Any] = {
    "method": "initialize",
    "id": 0,
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "agent", "version": "1"},
    },
}
CALL: dict[str, Any] = {"method": "tools/call", "id": 1, "params": {"name": "tabs_context", "arguments": {}}}
MODULES = (
    "msgspec",
    "typer",
    "anyio",
    "rich",
    "mcp",
    "platformdirs",
    "cryptography",
    "sitecustomize",
    "json",
    "socket",
)


@pytest.fixture
def trap(freehold: Shell) -> Path:
    """The file that appears when anything of the repository has run."""
    file, folder = freehold.base / "sprung", freehold.folder
    python = f"open({str(file)!r}, 'w').close()\n"
    for name in MODULES:
        (folder / f"{name}.py").write_text(python)
    (folder / "freehold").mkdir()
    for name in ("__init__", "__main__", "config"):
        (folder / f"freehold/{name}.py").write_text(python)
    program = f"#!/bin/sh\n: >{file}\n"
    for name in ("chromium", "python", "python3", "freehold-host"):
        machines.program(folder / name, program)
    subprocess.run(["git", "init", "-q", str(folder)], check=True, capture_output=True)
    for name in ("fsmonitor", "post-checkout", "post-index-change", "pre-commit", "reference-transaction"):
        machines.program(folder / ".git/hooks" / name, program)
    monitor = str(folder / ".git/hooks/fsmonitor")
    subprocess.run(["git", "-C", str(folder), "config", "core.fsmonitor", monitor], check=True, capture_output=True)
    freehold.environment["PATH"] = f".:{freehold.environment['PATH']}"
    return file


@pytest.fixture
def moved(freehold: Shell) -> Path:
    """The folder that the repository's settings ask for."""
    folder = freehold.base / "moved"
    settings = f"home = {str(folder)!r}\nexecutable = {str(folder / 'browser')!r}\nbrowser = 'elsewhere'\n"
    for name in ("freehold.toml", ".freehold.toml", "config.toml", ".freehold/config.toml", "freehold/config.toml"):
        (freehold.folder / name).parent.mkdir(exist_ok=True)
        (freehold.folder / name).write_text(settings)
    (freehold.folder / ".env").write_text(f"FREEHOLD_HOME={folder}\nFREEHOLD_SESSION=theirs\n")
    return folder


def test_the_traps_do_spring(freehold: Shell, trap: Path) -> None:
    freehold.environment["PATH"] = "/usr/bin:/bin"
    subprocess.run(["git", "status"], cwd=freehold.folder, env=freehold.environment, check=True, capture_output=True)
    assert trap.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("setup",),
        ("doctor",),
        ("browser", "list"),
        ("tool", "--list"),
        ("tool", "tabs_context"),
        ("tool", "navigate", "--url", "http://127.0.0.1/"),
        ("browser", "launch", "--headless"),
    ],
    ids=" ".join,
)
def test_a_command_runs_nothing_of_it(freehold: Shell, trap: Path, moved: Path, words: tuple[str, ...]) -> None:
    machines.program(freehold.base / "bin/chromium", "#!/bin/sh\nexit 3\n")
    said = freehold(*words)
    assert not trap.exists()
    assert not moved.exists()
    assert str(moved) not in said.stdout + said.stderr
    assert "A fault in Freehold" not in said.stderr


@pytest.mark.parametrize("words", [(), ("--project", ".")], ids=["started there", "told of it"])
def test_an_agents_server_runs_nothing_of_it(freehold: Shell, trap: Path, moved: Path, words: tuple[str, ...]) -> None:
    freehold("setup")
    lines = [json.dumps({"jsonrpc": "2.0", **message}) for message in (INITIALIZE, CALL)]
    said = freehold("mcp", *words, text="\n".join(lines) + "\n")
    assert json.loads(said.stdout.splitlines()[0])["id"] == 0
    assert not trap.exists()
    assert not moved.exists()


def test_the_launcher_runs_nothing_of_it_even_where_the_environment_points_there(freehold: Shell, trap: Path) -> None:
    freehold("setup")
    hostile = {**freehold.environment, "PYTHONPATH": str(freehold.folder), "PYTHONSTARTUP": "msgspec.py"}
    done = subprocess.run(
        [freehold.home / "freehold-host", "chrome-extension://other/"],
        cwd=freehold.folder,
        env=hostile,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert not trap.exists()
