from __future__ import annotations

import json
from pathlib import Path

import pytest

from freehold.browser import extension_copy
from freehold.errors import UsageError
from tests.unit.browser import shipped


def test_a_copy_holds_what_is_shipped_and_is_made_once(tmp_path: Path) -> None:
    source, copy = shipped.extension(tmp_path / "shipped"), tmp_path / "extension"
    assert extension_copy.copy(source, copy)
    assert (copy / "background/main.js").read_text() == "one"
    assert extension_copy.current(source, copy)
    assert not extension_copy.copy(source, copy)


def test_an_upgrade_keeps_the_folder_and_leaves_no_old_file_behind(tmp_path: Path) -> None:
    source, copy = shipped.extension(tmp_path / "shipped"), tmp_path / "extension"
    (source / "gone.js").write_text("old")
    extension_copy.copy(source, copy)
    (source / "gone.js").unlink()
    shipped.extension(source, version="0.2.0", code="two")
    assert not extension_copy.current(source, copy)
    assert extension_copy.copy(source, copy)
    assert (copy / "background/main.js").read_text() == "two"
    assert not (copy / "gone.js").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["extension", "shipped"]


def test_the_build_tells_two_states_of_one_version_apart(tmp_path: Path) -> None:
    source, copy = shipped.extension(tmp_path / "shipped"), tmp_path / "extension"
    extension_copy.copy(source, copy)
    first = extension_copy.build(copy)
    shipped.extension(source, code="two")
    extension_copy.copy(source, copy)
    assert first.startswith("0.1.0 (")
    assert extension_copy.build(copy) != first


def test_what_a_developer_keeps_beside_the_extension_is_not_copied(tmp_path: Path) -> None:
    source, copy = shipped.extension(tmp_path / "shipped"), tmp_path / "extension"
    (source / "node_modules/left").mkdir(parents=True)
    (source / "node_modules/left/pad.js").write_text("")
    (source / ".cache").write_text("")
    extension_copy.copy(source, copy)
    assert sorted(path.name for path in copy.iterdir()) == ["background", "manifest.json"]


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    source, copy = shipped.extension(tmp_path / "shipped"), tmp_path / "extension"
    copy.mkdir()
    (copy / "diary.txt").write_text("mine")
    with pytest.raises(UsageError) as caught:
        extension_copy.copy(source, copy)
    assert caught.value.code == "invalid_argument"
    assert (copy / "diary.txt").read_text() == "mine"


def test_removing_takes_our_files_and_no_other(tmp_path: Path) -> None:
    source, copy = shipped.extension(tmp_path / "shipped"), tmp_path / "extension"
    extension_copy.copy(source, copy)
    (copy / ".note").write_text("mine")
    assert extension_copy.remove(source, copy)
    assert [path.name for path in copy.iterdir()] == [".note"]


def test_a_broken_manifest_makes_a_folder_not_ours(tmp_path: Path) -> None:
    source, copy = shipped.extension(tmp_path / "shipped"), shipped.extension(tmp_path / "extension")
    assert extension_copy.ours(source, copy)
    (copy / "manifest.json").write_text(json.dumps(["not", "an", "object"]))
    assert not extension_copy.ours(source, copy)
