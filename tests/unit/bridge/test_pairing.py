from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from freehold.bridge import pairing
from freehold.errors import FreeholdError


def code_of(file: Path) -> str:
    with pytest.raises(FreeholdError) as caught:
        pairing.read(file)
    return caught.value.code


def test_a_key_is_made_once_and_stays(tmp_path: Path) -> None:
    file = tmp_path / "pairing.key"
    key = pairing.make(file)
    assert len(key) == 32
    assert pairing.make(file) == pairing.read(file) == key
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_processes_that_make_it_at_once_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(pairing.make, [tmp_path / "pairing.key"] * 40))
    assert len(set(keys)) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_no_key_means_setup_has_not_been_run(tmp_path: Path) -> None:
    assert code_of(tmp_path / "pairing.key") == "setup_missing"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_key_that_others_may_touch_is_refused_and_not_replaced(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "pairing.key"
    pairing.make(file)
    file.chmod(mode)
    assert code_of(file) == "permissions_unsafe"
    with pytest.raises(FreeholdError):
        pairing.make(file)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_of_another_length_is_refused(tmp_path: Path, size: int) -> None:
    file = tmp_path / "pairing.key"
    file.write_bytes(bytes(size))
    file.chmod(0o600)
    assert code_of(file) == "permissions_unsafe"


def test_a_link_a_folder_and_a_pipe_in_its_place_are_refused(tmp_path: Path) -> None:
    pairing.make(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe", 0o600)
    for name in ("link", "folder", "pipe"):
        assert code_of(tmp_path / name) == "permissions_unsafe"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_key_of_another_user_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pairing.key"
    pairing.make(file)
    os.chown(file, 65534, -1)
    assert code_of(file) == "permissions_unsafe"
