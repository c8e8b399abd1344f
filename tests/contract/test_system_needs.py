"""What scripts/system.sh says of a machine: run in bash with a PATH that holds only what the test put there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
TOOLS = ("bash", "dirname", "env", "grep", "head", "paste", "readlink", "sed", "sleep", "sort", "tr", "uname")


class Machine:
    """A machine with the tools of any Unix and no Python, browser or package installer."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.home = folder / "home"
        self.home.mkdir()
        for name in TOOLS:
            where = shutil.which(name)
            assert where is not None
            (self.programs / name).symlink_to(where)

    def add(self, name: str, body: str = "exit 0") -> Path:
        program = self.programs / name
        program.write_text(f"#!{self.programs}/bash\n{body}\n")
        program.chmod(0o755)
        return program

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.programs / "bash"), "-c", f'source "$0"/environment.sh; {command}', str(SCRIPTS)],
            env={"PATH": str(self.programs), "HOME": str(self.home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_browser_on_the_path_is_found(machine: Machine) -> None:
    program = machine.add("google-chrome-stable")
    assert machine.run("find_browser").stdout.strip() == str(program)


def test_a_browser_that_is_only_a_wrapper_of_a_snap_is_not_taken(machine: Machine) -> None:
    machine.add("chromium-browser", "exec /snap/bin/chromium")
    real = machine.add("vivaldi")
    assert machine.run("find_browser").stdout.strip() == str(real)


def test_a_snap_is_named_with_the_reason_and_the_command_that_helps(machine: Machine) -> None:
    machine.add("chromium-browser", "exec /snap/bin/chromium")
    machine.add("apt-get")
    machine.add("id", "echo 1000")
    result = machine.run("prepare_system browser")
    assert result.returncode == 1
    assert "the snap" in result.stderr
    assert "sudo apt-get install -y chromium" in result.stderr


def test_a_flatpak_is_named(machine: Machine) -> None:
    exports = machine.home / ".local/share/flatpak/exports/bin"
    exports.mkdir(parents=True)
    (exports / "org.chromium.Chromium").touch()
    result = machine.run("prepare_system browser")
    assert result.returncode == 1
    assert "the Flatpak org.chromium.Chromium" in result.stderr


def test_without_root_the_exact_command_is_said_and_nothing_is_installed(machine: Machine) -> None:
    machine.add("apt-get", 'echo called >>"$HOME/apt"')
    machine.add("id", "echo 1000")
    result = machine.run("prepare_system python browser display")
    assert result.returncode == 1
    assert "sudo apt-get install -y python3 chromium fonts-liberation xvfb" in result.stderr
    assert not (machine.home / "apt").exists()


def test_root_on_debian_gets_the_browser_installed(machine: Machine) -> None:
    machine.add("id", "echo 0")
    machine.add("apt-cache")
    machine.add(
        "apt-get",
        f'echo "$@" >>"$HOME/apt"; if [ "$1" = install ]; then echo >"{machine.programs}/chromium"; '
        f'{shutil.which("chmod")} +x "{machine.programs}/chromium"; fi',
    )
    result = machine.run("prepare_system browser")
    assert result.returncode == 0, result.stderr
    asked = (machine.home / "apt").read_text().splitlines()
    assert asked[0].startswith("update")
    assert asked[1].startswith("install")
    assert asked[1].endswith("chromium fonts-liberation")


def test_a_package_that_only_brings_the_snap_is_not_installed(machine: Machine) -> None:
    machine.add("id", "echo 0")
    machine.add("apt-cache", "echo Depends: snapd")
    machine.add("apt-get", 'echo "$@" >>"$HOME/apt"')
    result = machine.run("prepare_system browser")
    assert result.returncode == 1
    assert "Google Chrome" in result.stderr
    assert "install" not in (machine.home / "apt").read_text()


def test_an_old_python_does_not_count(machine: Machine) -> None:
    machine.add("python3", "exit 1")
    result = machine.run("prepare_system python")
    assert result.returncode == 1
    assert "Python 3.11 or newer" in result.stderr
