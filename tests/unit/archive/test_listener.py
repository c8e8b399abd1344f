"""Whose program listens on a port, from the kernel's own tables."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from freehold.archive import listener
from freehold.errors import DeniedError

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
PORT = 14242


@pytest.fixture(params=["127.0.0.1", "0.0.0.0", "::"])
def listening(request: pytest.FixtureRequest) -> Iterator[int]:
    host: str = request.param
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as server:
        server.bind((host, 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_listener_of_ours_is_present(listening: int) -> None:
    assert listener.present(listening)


def test_to_everyone_else_it_is_a_strangers(listening: int) -> None:
    with pytest.raises(DeniedError) as caught:
        listener.present(listening, uid=os.getuid() + 1)
    assert (caught.value.code, caught.value.data) == ("peer_refused", {"port": listening, "uid": os.getuid()})


def test_a_port_that_nobody_listens_on_is_free(listening: int) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        assert not listener.present(bound.getsockname()[1])


def tables(folder: Path, *lines: str) -> Path:
    rows = [
        f"   0: {address} 00000000:0000 {state} 0:0 00:0 0 {uid} 0 1\n" for address, state, uid in map(str.split, lines)
    ]
    (folder / "tcp").write_text(HEAD + "".join(rows))
    return folder


@pytest.mark.parametrize(
    "line",
    [
        "0200007F:37A2 0A 7",  # 127.0.0.2
        "0100007F:37A3 0A 7",  # another port
        "0100007F:37A2 01 7",  # a connection, no listener
        "0101A8C0:37A2 0A 7",  # 192.168.1.1
    ],
)
def test_what_would_not_get_our_connection_does_not_count(tmp_path: Path, line: str) -> None:
    assert not listener.present(PORT, uid=5, tables=tables(tmp_path, line))


def test_a_stranger_beside_a_listener_of_ours_is_refused(tmp_path: Path) -> None:
    found = tables(tmp_path, "00000000:37A2 0A 5", "0100007F:37A2 0A 4000000000")
    with pytest.raises(DeniedError) as caught:
        listener.present(PORT, uid=5, tables=found)
    assert caught.value.data["uid"] == 4_000_000_000
    assert listener.present(PORT, uid=5, tables=tables(tmp_path, "00000000:37A2 0A 5"))
