from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from freehold.browser import files, manifest
from freehold.browser.manifest import Owner

ORIGIN = "chrome-extension://miekdeamhiphlafmedocjjhkghdjjmjm/"


def test_the_manifest_lets_our_extension_alone_start_the_host(tmp_path: Path) -> None:
    written = json.loads(manifest.content(tmp_path / "freehold-host"))
    assert written["name"] == "io.freehold.host"
    assert written["type"] == "stdio"
    assert written["path"] == str(tmp_path / "freehold-host")
    assert written["allowed_origins"] == [ORIGIN]


@pytest.mark.parametrize("name", ["plain", "with space", "it's", 'a"b', "$HOME", "`id`", "a;b", "día"])
def test_the_launcher_passes_its_arguments_whole_however_the_folder_is_called(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    home.mkdir()
    python = home / "python"
    python.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    python.chmod(0o700)
    launcher = home / "freehold-host"
    files.write(launcher, manifest.launcher_script(python, home), 0o700)
    said = subprocess.run([launcher, ORIGIN, "a b"], capture_output=True, text=True, check=True, timeout=20).stdout
    assert said.splitlines() == ["-I", "-m", "freehold.host", "--home", str(home), ORIGIN, "a b"]
    assert manifest.launcher_python(launcher) == python


def test_whose_manifest_it_is_can_be_told(tmp_path: Path) -> None:
    launcher, file = tmp_path / "freehold-host", tmp_path / "io.freehold.host.json"
    assert manifest.owner(file, launcher) is Owner.MISSING
    file.write_bytes(manifest.content(launcher))
    assert manifest.owner(file, launcher) is Owner.OURS
    file.write_bytes(manifest.content(tmp_path / "elsewhere"))
    assert manifest.owner(file, launcher) is Owner.OTHER_HOME
    file.write_text(
        json.dumps({"name": "io.freehold.host", "path": str(launcher), "allowed_origins": ["chrome-extension://x/"]})
    )
    assert manifest.owner(file, launcher) is Owner.FOREIGN
    file.write_text("not json")
    assert manifest.owner(file, launcher) is Owner.FOREIGN


def test_a_file_is_written_whole_with_its_mode_and_only_when_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert files.write(file, b"one", 0o600)
    assert not files.write(file, b"one", 0o600)
    file.chmod(0o644)
    assert files.write(file, b"one", 0o600)
    assert file.stat().st_mode & 0o777 == 0o600
    assert files.write(file, b"two", 0o700)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_link_in_a_files_place_is_replaced_and_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"one")
    (tmp_path / "file").symlink_to(target)
    files.write(tmp_path / "file", b"two", 0o600)
    assert target.read_bytes() == b"one"
    assert (tmp_path / "file").read_bytes() == b"two"
