"""Every way to put the package into Pi, and `freehold connect pi` and `freehold doctor` on a real Pi."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.command import COMMAND, run
from tests.e2e.pi.host import CLI, NODE, PACKAGE, ROOT, WORKER, PiHost
from tests.e2e.pi.model_server import Model, Say, Use

DEADLINE = 60.0


@pytest.fixture
def installed(pi: PiHost, tmp_path: Path) -> PiHost:
    """A Pi on the PATH that has no package yet."""
    pi.extensions = []
    (pi.agent / "freehold.json").unlink()
    command = tmp_path / "bin" / "pi"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{NODE}" "{CLI}" "$@"\n')
    command.chmod(0o755)
    # npm beside node in the wheel cannot find its library; scripts/environment.sh links a working one here.
    folders = [str(command.parent), str(Path(sys.executable).parent), pi.environment["PATH"]]
    pi.environment["PATH"] = os.pathsep.join(folders)
    return pi


def freehold(pi: PiHost, *words: str) -> subprocess.CompletedProcess[str]:
    return run([COMMAND, *words], folder=pi.project, environment=pi.environment)


def states(pi: PiHost, *words: str) -> dict[str, str]:
    said = freehold(pi, "connect", "pi", *words, "--json")
    assert said.returncode == 0, said.stderr
    return {change["what"]: change["state"] for change in json.loads(said.stdout)["changes"]}


def works(pi: PiHost, model: Model) -> bool:
    model.says(Use("freehold_tabs_context"), Say("Looked."))
    return pi.ask("Look").stdout == "Looked.\n" and "freehold_navigate" in model.requests[-1].tools


def hops(pi: PiHost) -> dict[str, Any]:
    checks = json.loads(freehold(pi, "doctor", "--json").stdout)["checks"]
    return {check["hop"]: check for check in checks}


def test_connect_installs_the_package_and_records_this_python(installed: PiHost, model: Model) -> None:
    assert states(installed) == {"package": "made", "command of the worker": "made"}
    assert json.loads((installed.agent / "freehold.json").read_text())["command"] == WORKER
    assert works(installed, model)
    assert states(installed) == {"package": "kept", "command of the worker": "kept"}


def test_connect_undoes_what_it_did_and_keeps_the_settings(installed: PiHost, model: Model) -> None:
    states(installed)
    installed.settings(recall=True)
    assert states(installed, "--remove") == {"package": "removed", "command of the worker": "removed"}
    kept = json.loads((installed.agent / "freehold.json").read_text())
    assert (kept["command"], kept["recall"]) == ([], True)
    installed.ask("Hello")
    assert not any("freehold" in name for name in model.requests[0].tools)
    assert states(installed, "--remove") == {"package": "missing"}


def test_connect_can_keep_to_one_project(installed: PiHost, model: Model) -> None:
    assert states(installed, "--local")["package"] == "made"
    assert json.loads((installed.project / ".pi" / "settings.json").read_text())["packages"]
    assert not (installed.agent / "settings.json").exists()
    model.says(Say("Hi."))
    installed.ask("Hello", "-a")
    assert "freehold_navigate" in model.requests[-1].tools


def test_connect_leaves_a_package_from_elsewhere_in_its_place(installed: PiHost, model: Model) -> None:
    assert installed.manage("install", str(ROOT)).returncode == 0
    said = freehold(installed, "connect", "pi")
    assert str(ROOT) in said.stdout
    assert states(installed) == {"package": "kept", "command of the worker": "kept"}
    assert len(json.loads((installed.agent / "settings.json").read_text())["packages"]) == 1
    assert works(installed, model)


def test_without_pi_connect_says_how_to_get_it(installed: PiHost) -> None:
    installed.environment["PATH"] = "/usr/bin:/bin"
    said = freehold(installed, "connect", "pi")
    assert (said.returncode, "pi_not_found" in said.stderr) == (1, True)
    assert len(said.stderr.splitlines()) == 1


def test_an_old_pi_is_refused_by_its_version(installed: PiHost, tmp_path: Path) -> None:
    (tmp_path / "bin" / "pi").write_text("#!/bin/sh\necho 0.73.1\n")
    said = freehold(installed, "connect", "pi")
    assert (said.returncode, "pi_not_found" in said.stderr, "0.73.1" in said.stderr) == (1, True, True)
    assert hops(installed)["Pi"]["state"] == "wrong"


def test_a_pi_that_fails_is_told_with_its_reason(installed: PiHost, tmp_path: Path) -> None:
    (tmp_path / "bin" / "pi").write_text("#!/bin/sh\necho 'SyntaxError: enableCompileCache' >&2\nexit 1\n")
    said = freehold(installed, "connect", "pi")
    assert (said.returncode, "pi_failed" in said.stderr, "SyntaxError" in said.stderr) == (1, True, True)


def test_the_checkout_itself_is_a_package(installed: PiHost, model: Model) -> None:
    assert installed.manage("install", str(ROOT)).returncode == 0
    installed.settings(command=WORKER)
    assert works(installed, model)


@contextmanager
def git_server(folder: Path) -> Generator[str]:
    """Serve the repositories in `folder` on loopback; gives the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        "git",
        "daemon",
        "--listen=127.0.0.1",
        f"--port={port}",
        "--export-all",
        f"--base-path={folder}",
        str(folder),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as daemon:
        try:
            deadline = time.monotonic() + DEADLINE
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    assert daemon.poll() is None
                    assert time.monotonic() < deadline
                    time.sleep(0.05)
            yield f"git:git://127.0.0.1:{port}"
        finally:
            daemon.terminate()


def test_the_repository_can_be_installed_with_git(installed: PiHost, model: Model, tmp_path: Path) -> None:
    source = tmp_path / "git" / "owner" / "freehold"
    shutil.copytree(PACKAGE, source / "pi")
    for name in ("package.json", "package-lock.json", "pyproject.toml"):
        shutil.copy(ROOT / name, source)
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qm", "All"],
    ):
        subprocess.run(["git", *words], cwd=source, check=True, timeout=60)
    with git_server(tmp_path / "git") as address:
        done = installed.manage("install", f"{address}/owner/freehold")
        assert done.returncode == 0, done.stderr
    without_python = installed.environment["PATH"].split(os.pathsep)
    path = [each for each in without_python if not (Path(each) / "freehold").exists()]
    said = installed.run("-p", "Hello", environment={"PATH": os.pathsep.join(path)}).stderr
    clone = installed.agent / "git" / "127.0.0.1" / "owner" / "freehold"
    assert f'pip" install "{clone}"' in said
    assert states(installed) == {"package": "kept", "command of the worker": "made"}
    assert works(installed, model)


def test_the_doctor_tells_of_pi_in_every_state(installed: PiHost) -> None:
    found = hops(installed)
    assert (found["Pi"]["state"], found["Pi's package"]["state"]) == ("ok", "note")
    states(installed)
    found = hops(installed)
    pi_hops = ("Pi's package", "Pi's settings", "Pi's worker", "memory that writes itself")
    assert [found[hop]["state"] for hop in pi_hops] == ["ok"] * 4
    installed.settings(autoExtract=True)
    assert hops(installed)["memory that writes itself"]["state"] == "wrong"
    installed.settings(extractModel="fake/fake-side")
    assert hops(installed)["memory that writes itself"]["state"] == "ok"
    installed.settings(command=["/no/such/python"])
    assert hops(installed)["Pi's worker"]["state"] == "wrong"
    installed.settings(surprise=True)
    assert hops(installed)["Pi's settings"]["state"] == "wrong"


def test_without_pi_the_doctor_has_a_note_and_no_more(installed: PiHost) -> None:
    installed.environment["PATH"] = "/usr/bin:/bin"
    found = hops(installed)
    assert found["Pi"]["state"] == "note"
    assert "Pi's package" not in found


def test_the_doctor_tells_of_a_model_for_find_that_pi_does_not_have(installed: PiHost) -> None:
    states(installed)
    assert "model for find" not in hops(installed)
    installed.settings(findModel="fake/fake-side")
    assert hops(installed)["model for find"]["state"] == "ok"
    installed.settings(findModel="fake/unheard-of")
    found = hops(installed)["model for find"]
    assert (found["state"], "fake/unheard-of" in found["detail"]) == ("wrong", True)


def test_the_doctor_tells_of_a_package_of_another_version(installed: PiHost, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(PACKAGE, other)
    told = json.loads((other / "package.json").read_text())
    (other / "package.json").write_text(json.dumps(told | {"version": "0.0.1"}))
    assert installed.manage("install", str(other)).returncode == 0
    found = hops(installed)["Pi's package"]
    assert (found["state"], "0.0.1" in found["detail"]) == ("wrong", True)
