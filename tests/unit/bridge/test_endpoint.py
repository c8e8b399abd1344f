from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from freehold.bridge import endpoint
from freehold.errors import DeniedError


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / "run"
    endpoint.prepare(folder)
    return folder


@pytest.fixture
def dead_pid() -> int:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


@pytest.fixture
def listening(run: Path) -> Generator[socket.socket]:
    with endpoint.listen(endpoint.socket_path(run, os.getpid())) as listener:
        yield listener


def leave_behind(path: Path) -> Path:
    endpoint.listen(path).close()
    return path


def test_the_id_is_that_of_the_manifests_key() -> None:
    manifest = json.loads((Path(__file__).parents[3] / "extension" / "manifest.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256(base64.b64decode(manifest["key"])).hexdigest()[:32]
    assert "".join(chr(ord("a") + int(digit, 16)) for digit in digest) == endpoint.EXTENSION_ID


def test_a_run_folder_is_made_for_us_alone(run: Path) -> None:
    assert run.stat().st_mode & 0o777 == 0o700
    endpoint.prepare(run)


@pytest.mark.parametrize("mode", [0o701, 0o710, 0o755, 0o777])
def test_a_run_folder_that_others_may_enter_is_refused(run: Path, mode: int) -> None:
    run.chmod(mode)
    for look in (endpoint.prepare, endpoint.sockets):
        with pytest.raises(DeniedError) as caught:
            look(run)
        assert caught.value.code == "permissions_unsafe"


def test_a_run_folder_that_is_a_link_or_lies_where_others_write_is_refused(run: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere"
    link.symlink_to(run)
    run.parent.chmod(0o777)
    for folder in (link, run):
        with pytest.raises(DeniedError):
            endpoint.check(folder)
    run.parent.chmod(0o700)


def test_a_socket_of_a_host_that_is_dead_but_not_yet_reaped_is_removed(run: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert ended.stdout is not None
    ended.stdout.read()
    leave_behind(endpoint.socket_path(run, ended.pid))
    assert endpoint.sockets(run) == []
    ended.stdout.close()
    ended.wait()


@pytest.mark.usefixtures("listening")
def test_live_sockets_are_listed_and_dead_ones_removed(run: Path, dead_pid: int) -> None:
    dead = leave_behind(endpoint.socket_path(run, dead_pid))
    (run / "host.log").touch()
    assert endpoint.sockets(run) == [endpoint.socket_path(run, os.getpid())]
    assert not dead.exists()
    assert (run / "host.log").exists()


def test_a_socket_that_answers_is_kept_even_where_its_pid_is_not_seen(run: Path, dead_pid: int) -> None:
    path = endpoint.socket_path(run, dead_pid)
    with endpoint.listen(path):
        assert endpoint.sockets(run) == [path]


def test_the_newest_socket_comes_first(run: Path) -> None:
    paths = [run / f"host-{pid}.sock" for pid in (1, 2)]
    with endpoint.listen(paths[0]), endpoint.listen(paths[1]):
        os.utime(paths[0], (2_000_000, 2_000_000))
        os.utime(paths[1], (1_000_000, 1_000_000))
        assert endpoint.sockets(run) == paths
        os.utime(paths[1], (3_000_000, 3_000_000))
        assert endpoint.sockets(run) == paths[::-1]


def test_no_folder_means_no_socket(tmp_path: Path) -> None:
    assert endpoint.sockets(tmp_path / "none" / "run") == []


def test_a_socket_takes_the_place_of_one_left_by_a_dead_host_of_the_same_pid(run: Path) -> None:
    path = leave_behind(endpoint.socket_path(run, os.getpid()))
    with endpoint.listen(path), socket.socket(socket.AF_UNIX) as peer:
        peer.connect(str(path))
    assert endpoint.remove_stale(path)
    assert list(run.iterdir()) == []


@pytest.mark.parametrize("name", ["a" * 80, "ب" * 50])
def test_a_path_too_long_for_an_address_is_reached_and_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    run = tmp_path / name / name / "run"
    endpoint.prepare(run)
    path = endpoint.socket_path(run, os.getpid())
    with endpoint.listen(path), endpoint.reachable(path) as short, socket.socket(socket.AF_UNIX) as peer:
        assert len(os.fsencode(short)) < 104
        peer.connect(short)
        link = Path(short).parent
    assert not link.parent.exists()
    assert endpoint.remove_stale(path)
