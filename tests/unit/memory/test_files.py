"""Files written whole or not at all, beside editors that know of no lock."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from freehold.memory import files
from freehold.memory.exchange import exchange
from freehold.memory.files import ChangedError, Draft
from tests.unit.memory.refusals import refused


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "note.md"


def test_what_is_created_is_there_whole_and_no_draft_is_left(file: Path) -> None:
    Draft(file, b"new").create()
    assert [(path.name, path.read_bytes()) for path in file.parent.iterdir()] == [("note.md", b"new")]


def test_what_has_come_meanwhile_is_not_replaced_by_a_new_file(file: Path) -> None:
    draft = Draft(file, b"ours")
    file.write_bytes(b"theirs")
    with pytest.raises(ChangedError):
        draft.create()
    assert [path.read_bytes() for path in file.parent.iterdir()] == [b"theirs"]


def test_a_file_is_replaced_only_while_it_says_what_was_read(file: Path) -> None:
    file.write_bytes(b"old")
    Draft(file, b"new").replace(b"old")
    with pytest.raises(ChangedError):
        Draft(file, b"newer").replace(b"old")
    assert [path.read_bytes() for path in file.parent.iterdir()] == [b"new"]


class Editor:
    """Swaps as the system does, and at the first two calls writes the file just before."""

    def __init__(self, *versions: bytes, in_place: bool) -> None:
        self._versions = list(versions)
        self._in_place = in_place

    def __call__(self, scratch: Path, file: Path) -> bool:
        if self._versions and self._in_place:
            file.write_bytes(self._versions.pop(0))
        elif self._versions:
            other = file.with_suffix(".swp")
            other.write_bytes(self._versions.pop(0))
            other.replace(file)
        return exchange(scratch, file)


@pytest.mark.parametrize("in_place", [True, False])
def test_an_editor_that_comes_between_the_look_and_the_swap_keeps_its_version(file: Path, *, in_place: bool) -> None:
    if not can_exchange(file.parent):
        pytest.skip("this file system cannot swap two files")
    file.write_bytes(b"old")
    with pytest.raises(ChangedError):
        Draft(file, b"ours").replace(b"old", swap=Editor(b"theirs", in_place=in_place))
    assert [path.read_bytes() for path in file.parent.iterdir()] == [b"theirs"]


@pytest.mark.parametrize("in_place", [True, False])
def test_an_editor_that_comes_again_before_the_swap_back_keeps_both_versions(file: Path, *, in_place: bool) -> None:
    if not can_exchange(file.parent):
        pytest.skip("this file system cannot swap two files")
    file.write_bytes(b"old")
    with pytest.raises(ChangedError):
        Draft(file, b"ours").replace(b"old", swap=Editor(b"theirs", b"theirs again", in_place=in_place))
    assert {path.read_bytes() for path in file.parent.iterdir()} == {b"theirs", b"theirs again"}


def test_where_files_cannot_swap_a_changed_one_is_still_not_replaced(file: Path) -> None:
    file.write_bytes(b"theirs")
    with pytest.raises(ChangedError):
        Draft(file, b"ours").replace(b"old", swap=lambda _one, _other: False)
    Draft(file, b"ours").replace(b"theirs", swap=lambda _one, _other: False)
    assert [path.read_bytes() for path in file.parent.iterdir()] == [b"ours"]


def test_a_file_that_was_taken_away_meanwhile_counts_as_changed(file: Path) -> None:
    with pytest.raises(ChangedError):
        Draft(file, b"ours").replace(b"old")
    assert list(file.parent.iterdir()) == []


def test_a_replaced_file_keeps_its_mode(file: Path) -> None:
    file.write_bytes(b"old")
    file.chmod(0o640)
    Draft(file, b"new").replace(b"old")
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_new_file_is_the_users_alone(file: Path) -> None:
    Draft(file, b"new").create()
    assert file.stat().st_mode & 0o777 == 0o600


def test_two_files_swap_names(tmp_path: Path) -> None:
    one, other = tmp_path / "1", tmp_path / "2"
    one.write_text("one")
    other.write_text("other")
    if exchange(one, other):
        assert (one.read_text(), other.read_text()) == ("other", "one")
    with pytest.raises(FileNotFoundError):
        exchange(one, tmp_path / "3")


def test_a_link_or_folder_in_a_files_place_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(__file__)
    for path in (tmp_path / "link", tmp_path):
        assert refused(lambda: files.read(path)).code == "path_outside_store"  # noqa: B023


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "disk_full"),
        (errno.EDQUOT, "disk_full"),
        (errno.EFBIG, "disk_full"),
        (errno.EROFS, "store_read_only"),
        (errno.EACCES, "store_read_only"),
        (errno.EIO, "store_read_only"),
    ],
)
def test_what_the_system_refuses_has_a_code(tmp_path: Path, number: int, code: str) -> None:
    def fail() -> None:
        with files.named_errors(tmp_path):
            raise OSError(number, "no")

    assert refused(fail).code == code


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.ENOSYS])
def test_a_file_system_that_flushes_no_folders_is_written_to_all_the_same(tmp_path: Path, number: int) -> None:
    def fail(_: int) -> None:
        raise OSError(number, "no")

    files.sync_folder(tmp_path, fsync=fail)


def test_a_disk_that_fails_while_a_folder_is_flushed_is_told(tmp_path: Path) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "no")

    with pytest.raises(OSError, match="no"):
        files.sync_folder(tmp_path, fsync=fail)


def can_exchange(folder: Path) -> bool:
    for name in ("a", "b"):
        (folder / name).touch()
    able = exchange(folder / "a", folder / "b")
    for name in ("a", "b"):
        (folder / name).unlink()
    return able
