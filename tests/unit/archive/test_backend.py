"""Which server is meant: in the order that users are told, and with a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from freehold.archive.backend import DEFAULT_URL, Backend, choose
from freehold.errors import DeniedError, UsageError


def nobody(port: int) -> bool:
    return False


def ours(port: int) -> bool:
    return True


def stranger(port: int) -> bool:
    raise DeniedError("peer_refused", f"What listens on {port} belongs to the user mallory.")


def configured(home: Path, **fields: Any) -> Path:
    file = home / ".nowledge-mem" / "config.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(fields))
    return file


def test_without_anything_the_embedded_server_is_meant(tmp_path: Path) -> None:
    backend = choose({}, tmp_path, present=nobody)
    assert (backend.kind, backend.notes) == ("embedded", ())


def test_a_server_of_ours_that_listens_is_taken(tmp_path: Path) -> None:
    assert choose({}, tmp_path, present=ours) == Backend(
        "listening", DEFAULT_URL, "a server of yours listens on port 14242"
    )


def test_another_users_listener_is_refused_and_named(tmp_path: Path) -> None:
    backend = choose({}, tmp_path, present=stranger)
    assert backend.kind == "embedded"
    assert "mallory" in backend.notes[0]


def test_the_file_goes_before_a_listener_and_the_environment_before_the_file(tmp_path: Path) -> None:
    configured(tmp_path, apiUrl="https://team.example/", apiKey="k1", space="garden")
    by_file = choose({}, tmp_path, present=ours)
    assert (by_file.kind, by_file.url, by_file.key, by_file.space) == ("named", "https://team.example", "k1", "garden")
    by_environment = choose({"NMEM_API_URL": "http://127.0.0.1:9/", "NMEM_API_KEY": "k2"}, tmp_path, present=ours)
    assert (by_environment.url, by_environment.key, by_environment.space) == ("http://127.0.0.1:9", "k2", "garden")


def test_the_files_key_is_not_shown_to_a_server_that_the_file_does_not_name(tmp_path: Path) -> None:
    configured(tmp_path, apiUrl="https://team.example", apiKey="k1")
    assert choose({"NMEM_API_URL": "https://other.example"}, tmp_path, present=nobody).key == ""
    assert choose({"NMEM_API_URL": "https://team.example/"}, tmp_path, present=nobody).key == "k1"


@pytest.mark.parametrize("name", ["space", "spaceId", "space_id"])
def test_a_space_in_the_file_is_honoured_and_other_keys_are_said_to_be_ignored(tmp_path: Path, name: str) -> None:
    configured(tmp_path, **{name: "garden", "agentId": "a", "colour": 1})
    backend = choose({}, tmp_path, present=nobody)
    assert (backend.kind, backend.space) == ("embedded", "garden")
    assert "agentId, colour" in backend.notes[0]


def test_what_is_set_to_nothing_counts_as_not_set(tmp_path: Path) -> None:
    configured(tmp_path, apiUrl=" ", apiKey=None)
    assert choose({"NMEM_API_URL": "", "NMEM_API_KEY": " "}, tmp_path, present=nobody).kind == "embedded"


@pytest.mark.parametrize(
    "url",
    ["ftp://x", "127.0.0.1:14242", "http://", "http://k@host", "http://host:99999", "http://h/?key=1", "file:///etc"],
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose({"NMEM_API_URL": url}, tmp_path, present=nobody)
    assert caught.value.code == "invalid_argument"


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff"])
def test_a_file_that_cannot_be_read_is_named_and_nothing_is_archived_elsewhere(tmp_path: Path, content: bytes) -> None:
    file = configured(tmp_path)
    file.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        choose({}, tmp_path, present=nobody)
    assert str(file) in caught.value.message


def test_a_key_is_in_no_representation(tmp_path: Path) -> None:
    backend = choose({"NMEM_API_URL": DEFAULT_URL, "NMEM_API_KEY": "k-secret"}, tmp_path, present=nobody)
    assert "k-secret" not in repr(backend)


def test_cursors_are_kept_by_server_and_space_and_not_by_key(tmp_path: Path) -> None:
    one = Backend("named", "http://a", "")
    others = [Backend("named", "http://b", ""), Backend("named", "http://a", "", space="s")]
    others.append(Backend("embedded", "http://a", ""))
    assert len({backend.identity(tmp_path) for backend in (one, *others)}) == 4
    assert one.identity(tmp_path) == Backend("listening", "http://a", "", key="k").identity(tmp_path)


@pytest.mark.parametrize(
    ("url", "local"),
    [("http://127.0.0.1:1", True), ("http://[::1]:1", True), ("http://localhost", True), ("https://x.example", False)],
)
def test_what_stays_on_this_machine_is_known(url: str, *, local: bool) -> None:
    assert Backend("named", url, "").local is local
