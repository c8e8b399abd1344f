"""Topics as files: in a person's editor, and taken elsewhere."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.contract.memory.shell import Shell

LATIN = b"caf\xe9, Latin-1\nsecond\n"


@pytest.fixture
def ann(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path / "ann", "Ann")
    shell.repository("shop")
    return shell


def editor(shell: Shell, script: str) -> None:
    """Make an editor that runs `script` on the file, $1."""
    file = shell.home / "editor"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    shell.environment["EDITOR"] = str(file)


def test_an_edit_is_kept(ann: Shell) -> None:
    ann.memory("save", "Ports", "8080")
    editor(ann, 'sed -i s/8080/9090/ "$1"')
    ann.memory("edit", "ports")
    assert "9090" in ann.memory("show", "ports")


def test_an_edit_is_joined_with_what_an_agent_wrote_meanwhile(ann: Shell) -> None:
    ann.memory("save", "Ports", "first\n\nsecond\n\nthird")
    file = ann.memory("path", "ports").strip()
    editor(ann, f'sed -i "s/first/first by the agent/" "{file}"; sed -i "s/third/third by hand/" "$1"')
    ann.memory("edit", "ports")
    text = ann.memory("show", "ports")
    assert "first by the agent" in text
    assert "third by hand" in text
    assert "conflict" not in text


def test_a_secret_typed_into_the_editor_is_refused_and_not_lost(ann: Shell) -> None:
    ann.memory("save", "Ports", "8080")
    secret = "AKIA" + "ABCDEFGHIJKLMNOP"
    editor(ann, f'echo {secret} >> "$1"')
    done = ann("memory", "edit", "ports")
    assert "[secret_found]" in done.stderr
    assert secret not in ann.memory("show", "ports")
    kept = next(word for word in done.stderr.split() if word.endswith("ports.md."))
    assert secret in Path(kept.removesuffix(".")).read_text()


def test_bytes_that_are_no_utf_8_pass_through_the_editor_as_they_are(ann: Shell) -> None:
    folder = Path(ann.memory("path").strip())
    (folder / "latin.md").write_bytes(LATIN)
    editor(ann, 'sed -i "s/second/changed/" "$1"')
    ann.memory("edit", "latin")
    assert (folder / "latin.md").read_bytes() == LATIN.replace(b"second", b"changed")
    editor(ann, f'sed -i "s/Latin-1/ISO 8859-1/" "{folder}/latin.md"; echo more >> "$1"')
    ann.memory("edit", "latin")
    assert (folder / "latin.md").read_bytes() == b"caf\xe9, ISO 8859-1\nchanged\nmore\n"


def test_what_could_not_be_kept_is_not_lost(ann: Shell) -> None:
    ann.memory("save", "Ports", "8080")
    file = ann.memory("path", "ports").strip()
    editor(ann, f'rm "{file}" && ln -s elsewhere "{file}" && echo mine >> "$1"')
    done = ann("memory", "edit", "ports")
    assert done.returncode == 1
    kept = next(word for word in done.stderr.split() if word.endswith("ports.md.") and "freehold-edit-" in word)
    assert "mine" in Path(kept.removesuffix(".")).read_text()


def test_a_sub_agents_edit_begins_with_the_projects_topic_and_stands_beside_it(ann: Shell) -> None:
    ann.memory("save", "Ports", "8080")
    editor(ann, 'sed -i s/8080/9090/ "$1"')
    ann.memory("edit", "ports", "--agent", "reviewer")
    assert "9090" in ann.memory("show", "ports", "--agent", "reviewer")
    assert "8080" in ann.memory("show", "ports")


def test_an_export_comes_in_elsewhere_after_a_dry_run(ann: Shell, tmp_path: Path) -> None:
    ann.memory("save", "Ports", "8080")
    ann.memory("save", "构建步骤", "先 make。")
    ann.memory("export", str(tmp_path / "out"))
    ann.memory("export", str(tmp_path / "out.zip"))
    ann.memory("export", str(tmp_path / "out"), code=2)
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert sorted(archive.namelist()) == ["MEMORY.md", "ports.md", "构建步骤.md"]
    ann.repository("bank")
    plan = ann.data("import", "store", str(tmp_path / "out"))
    assert [one["written"] for one in plan["notes"]] == [False, False]
    assert ann.data("list")["topics"] == []
    ann.memory("import", "store", str(tmp_path / "out"), "--apply")
    assert "先 make。" in ann.memory("show", "构建步骤")


@pytest.mark.parametrize("target", ["out", "out.zip"])
def test_an_export_has_every_byte_of_a_file_in_any_state_and_follows_no_link(
    ann: Shell, tmp_path: Path, target: str
) -> None:
    folder = Path(ann.memory("path").strip())
    there = {
        "huge.md": b"line\n" * 300_000,
        "latin.md": LATIN,
        "broken.md": b"\xef\xbb\xbf---\r\ntitle: [x\r\n---\r\ntext\0\r\n",
    }
    for name, data in there.items():
        (folder / name).write_bytes(data)
    (folder / "link.md").symlink_to("/etc/hostname")
    (folder / "MEMORY.md").symlink_to("/etc/hostname")
    os.mkfifo(folder / "pipe.md")
    told = ann.data("export", str(tmp_path / target))
    if target.endswith(".zip"):
        shutil.unpack_archive(tmp_path / target, tmp_path / "unpacked")
    out = tmp_path / ("unpacked" if target.endswith(".zip") else target)
    assert {file.name: file.read_bytes() for file in out.iterdir()} == there
    assert told["left_out"] == ["MEMORY.md", "link.md", "pipe.md"]
