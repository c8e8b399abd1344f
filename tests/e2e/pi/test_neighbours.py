"""Freehold beside other extensions, inside sub-agents, and where its Python side is missing: Pi always starts."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from tests.e2e.pi.host import PACKAGE, PiHost
from tests.e2e.pi.model_server import Model, Say, Use
from tests.e2e.pi.record import Record
from tests.e2e.processes import runs

EXTENSIONS = Path(__file__).parent / "extensions"


def without_freehold(pi: PiHost, folder: Path) -> str:
    """Give Pi a copy of the package that stands in no checkout, and a PATH without the command."""
    copy = folder / "packages" / "freehold-pi"
    shutil.copytree(PACKAGE, copy)
    pi.extensions = [str(copy)]
    pi.settings(command=[])
    path = [each for each in pi.environment["PATH"].split(os.pathsep) if not (Path(each) / "freehold").exists()]
    pi.environment["PATH"] = os.pathsep.join(path)
    return f'python3 -m venv "{pi.agent}/freehold"'


def test_a_name_that_another_extension_holds_is_left_to_it(pi: PiHost, model: Model) -> None:
    for order in (0, 1):
        pi.extensions = [str(PACKAGE)]
        pi.extensions.insert(order, str(EXTENSIONS / "rival.ts"))
        model.says(Use("freehold_find"), Say("Done."))
        done = pi.ask("Find")
        assert done.returncode == 0
        assert "freehold_find" in done.stderr
        assert model.last_result() == "found by the rival"
        assert "freehold_navigate" in model.requests[-1].tools


def test_another_prefix_for_the_browser_tools_keeps_clear_of_others(pi: PiHost, model: Model) -> None:
    pi.extensions.append(str(EXTENSIONS / "rival.ts"))
    pi.settings(browserPrefix="fh_")
    done = pi.ask("Find")
    assert done.stderr == ""
    tools = model.requests[-1].tools
    assert {"fh_find", "freehold_find", "fh_navigate"} <= set(tools)
    assert "fh_tabs_context" in model.requests[-1].system


def test_a_package_that_is_loaded_twice_works_once(pi: PiHost, model: Model, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(PACKAGE, copy)
    pi.extensions.append(str(copy))
    model.says(Use("freehold_tabs_context"), Say("Done."))
    done = pi.ask("Look")
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert "twice" in done.stderr
    assert pi.workers() == []


def test_without_python_pi_works_and_says_how_to_install_it(pi: PiHost, model: Model, tmp_path: Path) -> None:
    install = without_freehold(pi, tmp_path)
    done = pi.ask("Hello")
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert install in done.stderr


def test_without_python_the_terminal_shows_how_to_install_it(pi: PiHost, tmp_path: Path) -> None:
    without_freehold(pi, tmp_path)
    with pi.tui() as tui:
        tui.see("Python side is not installed")


def test_without_python_a_client_is_told_how_to_install_it(pi: PiHost, tmp_path: Path) -> None:
    install = without_freehold(pi, tmp_path)
    with pi.rpc() as rpc:
        assert install in rpc.notice("not installed")
        assert rpc.run("Hello")


def test_python_in_pis_own_folder_is_found(pi: PiHost, model: Model, record: Record, tmp_path: Path) -> None:
    without_freehold(pi, tmp_path)
    python = pi.agent / "freehold" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nexec "{}" -I "{}" "{}"\n'.format(*(record.command[0], *record.command[2:])))
    python.chmod(0o755)
    model.says(Use("fake_echo", text="here"))
    pi.ask("Go")
    assert model.last_result() == "here"


def test_a_worker_that_does_not_start_is_named_with_what_it_said(pi: PiHost, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho 'no module named freehold' >&2\nexit 1\n")
    broken.chmod(0o755)
    pi.settings(command=[str(broken)])
    done = pi.ask("Hello")
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert "no module named freehold" in done.stderr


def test_a_command_in_a_projects_file_is_never_run(pi: PiHost, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    (pi.project / ".pi").mkdir()
    (pi.project / ".pi" / "freehold.json").write_text(json.dumps({"command": [str(trap)]}))
    done = pi.ask("Hello", "-a")
    assert "command left out" in done.stderr
    assert not (tmp_path / "sprung").exists()


def test_a_sub_agent_starts_a_worker_only_when_it_calls_a_tool_and_leaves_none(
    pi: PiHost, model: Model, record: Record
) -> None:
    pi.extensions.append(str(EXTENSIONS / "nested.ts"))
    pi.environment["FREEHOLD_TEST_PACKAGE"] = str(PACKAGE)
    model.says(
        Use("delegate", prompt="Only talk"), Say("Talked."),
        Use("delegate", prompt="Call"), Use("fake_echo", text="from below"), Say("Called."),
        Say("Done."),
    )  # fmt: skip
    with pi.rpc() as rpc:
        rpc.run("Go")
        starts = [message["params"] for message in record.messages("start")]
        assert [(start["reason"], start["nested"]) for start in starts] == [("startup", False), ("startup", True)]
        own, below = record.pids
        assert runs(own)
        assert not runs(below)
    told = [message["params"]["name"] for message in record.messages("tool.call")]
    assert told == ["echo"]
    systems = [request.system for request in model.requests]
    assert all("<fake-section>" in system for system in systems)
