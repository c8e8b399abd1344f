"""Who is let in, and what no request gets past: over real connections to `freehold serve`."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from freehold.server.guard import MAX_BODY
from freehold.server.store import keys
from freehold.server.store.archive import Archive
from tests.contract.server.served import Served, environment, options, served
from tests.postgres import others_may_enter

SECRET = "tell-nobody-4711"


@pytest.fixture
def server(tmp_path: Path) -> Generator[Served]:
    with served(tmp_path / "archive.db", tmp_path / "home", "--verbose", "--allow-host", "archive.example") as running:
        yield running


def made(tmp_path: Path, name: str, *, spaces: tuple[str, ...] = (), read_only: bool = False) -> str:
    archive = Archive(tmp_path / "archive.db")
    archive.open()
    with archive.database.writing() as connection:
        key = keys.add(connection, name, spaces=spaces, read_only=read_only)
    archive.close()
    return key


def ask(server: Served, path: str = "/threads", method: str = "GET", **options: Any) -> httpx2.Response:
    with httpx2.Client(base_url=server.address) as client:
        return client.request(method, path, **options)


def refused(response: httpx2.Response, status: int, code: str) -> None:
    assert response.status_code == status, response.text
    assert response.json()["error_code"] == code
    assert isinstance(response.json()["retryable"], bool)


def test_the_user_who_started_it_needs_no_key(server: Served) -> None:
    assert ask(server).status_code == 200


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.skipif(not others_may_enter(), reason="no other user may enter / on this machine")
def test_another_user_of_the_machine_is_refused(server: Served) -> None:
    program = (
        "import sys, urllib.request as u\n"
        "try: u.urlopen(sys.argv[1])\n"
        "except u.HTTPError as e: print(e.code, e.read().decode())"
    )
    done = subprocess.run(
        ["/usr/bin/env", "python3", "-c", program, f"{server.address}/threads"],
        user="nobody",
        cwd="/",
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
        env={"PATH": os.environ["PATH"]},
    )
    status, _, body = done.stdout.partition(" ")
    assert (status, json.loads(body)["error_code"]) == ("401", "unauthorized")


def test_what_a_proxy_forwards_needs_a_key(server: Served) -> None:
    for name in ("x-forwarded-for", "forwarded", "x-real-ip"):
        refused(ask(server, headers={name: "203.0.113.9"}), 401, "unauthorized")


def test_a_key_may_be_sent_in_either_header(server: Served, tmp_path: Path) -> None:
    key = made(tmp_path, "laptop")
    for headers in ({"authorization": f"Bearer {key}"}, {"x-nmem-api-key": key}):
        assert ask(server, headers={**headers, "x-forwarded-for": "203.0.113.9"}).status_code == 200
    refused(ask(server, headers={"authorization": f"Bearer {key[:-1]}"}), 401, "unauthorized")


def test_a_key_for_reading_reads_alone_also_on_this_machine(server: Served, tmp_path: Path) -> None:
    headers = {"x-nmem-api-key": made(tmp_path, "reader", read_only=True)}
    assert ask(server, headers=headers).status_code == 200
    assert ask(server, "/memories/search", "POST", json={"query": "x"}, headers=headers).status_code == 200
    writing: list[tuple[str, str, Any]] = [
        ("POST", "/memories", {"content": "x"}),
        ("POST", "/threads", {"thread_id": "t", "messages": []}),
        ("DELETE", "/threads/t", None),
        ("PUT", "/agent/working-memory", {"content": "x"}),
        ("POST", "/labels?name=x", None),
    ]
    for method, path, body in writing:
        refused(ask(server, path, method, json=body, headers=headers), 403, "read_only_key")


def test_a_key_of_one_space_sees_no_other(server: Served, tmp_path: Path) -> None:
    headers = {"x-nmem-api-key": made(tmp_path, "red", spaces=("red",))}
    ask(server, "/memories", "POST", json={"content": "of all"})
    kept = ask(server, "/memories", "POST", json={"content": "of red"}, headers=headers)
    assert kept.json()["memory"]["space_id"] == "red"
    listed = ask(server, "/memories", headers=headers).json()["memories"]
    assert [memory["content"] for memory in listed] == ["of red"]
    named = ask(server, "/memories", params={"space_id": "default"}, headers=headers)
    refused(named, 403, "space_not_allowed")
    refused(ask(server, "/memories", headers={**headers, "x-nmem-space-id": "default"}), 403, "space_not_allowed")
    imported: dict[str, Any] = {"threads": [{"thread_id": "t", "messages": [], "space_id": "default"}]}
    answer = ask(server, "/threads/import", "POST", json=imported, headers=headers).json()
    assert answer["results"][0]["error_code"] == "space_not_allowed"
    moved = {"space_id": "default"}
    own = kept.json()["memory"]["id"]
    refused(ask(server, f"/memories/{own}", "PATCH", json=moved, headers=headers), 403, "space_not_allowed")


def test_a_revoked_key_is_refused_at_once(server: Served, tmp_path: Path) -> None:
    key = made(tmp_path, "lost")
    assert ask(server, headers={"x-nmem-api-key": key}).status_code == 200
    command = [Path(sys.executable).parent / "freehold", "serve", "keys", "revoke", "lost"]
    place = options(tmp_path / "archive.db")
    subprocess.run([*command, *place], check=True, timeout=60, capture_output=True, env=environment(tmp_path))
    refused(ask(server, headers={"x-nmem-api-key": key}), 401, "unauthorized")


def test_whoever_guesses_keys_must_wait(server: Served, tmp_path: Path) -> None:
    key = made(tmp_path, "good")
    for _ in range(8):
        refused(ask(server, headers={"x-nmem-api-key": "guess"}), 401, "unauthorized")
    blocked = ask(server, headers={"x-nmem-api-key": key})
    refused(blocked, 429, "too_many_wrong_keys")
    assert int(blocked.headers["retry-after"]) > 500
    # The user at this machine is not locked out by what guesses here.
    assert ask(server).status_code == 200


def test_only_its_own_names_reach_it(server: Served) -> None:
    port = server.address.rsplit(":", 1)[1]
    for host in (f"localhost:{port}", "127.0.0.1", "archive.example"):
        assert ask(server, headers={"host": host}).status_code == 200
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example"):
        refused(ask(server, headers={"host": host}), 403, "host_not_allowed")
        refused(ask(server, "/livez", headers={"host": host}), 403, "host_not_allowed")


def test_pages_of_other_sites_are_refused(server: Served) -> None:
    for origin in ("http://evil.example", "null", "http://localhost:1", "http://127.0.0.1"):
        refused(ask(server, headers={"origin": origin}), 403, "origin_not_allowed")
    for site in ("cross-site", "same-site"):
        refused(ask(server, headers={"sec-fetch-site": site}), 403, "origin_not_allowed")
    assert ask(server, headers={"origin": server.address, "sec-fetch-site": "same-origin"}).status_code == 200


def test_a_body_that_is_too_large_is_not_read(server: Served) -> None:
    port = int(server.address.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        head = f"POST /memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: {MAX_BODY + 1}\r\n\r\n"
        connection.sendall(head.encode())
        assert b" 413 " in connection.recv(1_000)


def test_no_log_line_holds_a_key_or_what_was_said(server: Served, tmp_path: Path) -> None:
    key = made(tmp_path, "logged")
    headers = {"x-nmem-api-key": key}
    ask(server, "/memories", "POST", json={"content": SECRET}, headers=headers)
    ask(server, f"/threads/search?query={SECRET}", headers=headers)
    ask(server, f"/threads/{SECRET}", headers=headers)
    ask(server, f"/{SECRET}", headers={"x-nmem-api-key": f"fhk_{SECRET}"})
    metrics = ask(server, "/metrics").text
    assert server.stop() == 0
    log = server.log.read_text(encoding="utf-8")
    assert '"path":"/threads/{thread_id}"' in log
    for text in (log, metrics):
        assert SECRET not in text
        assert key.rsplit("_", 1)[1] not in text
    assert all(json.loads(line)["level"] for line in log.splitlines())


def test_its_files_are_the_users_alone(server: Served, tmp_path: Path) -> None:
    ask(server, "/memories", "POST", json={"content": "x"})
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.glob("archive.db*")}
    assert set(modes.values()) == {0o600}
    assert "archive.db-wal" in modes
