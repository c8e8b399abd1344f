"""Running an archive: backup and restore between databases, checks and repair, stops, databases that fail."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import text

from freehold.errors import UnavailableError, UsageError
from freehold.server.store import backup, check
from freehold.server.store.archive import Archive
from tests import postgres
from tests.command import COMMAND
from tests.contract.server.api import Api
from tests.contract.server.served import environment, options, served


async def filled(api: Api) -> None:
    await api.thread("t", "缓存 in Redis\0", "Understood", title="Cache")
    await api.post("/memories", {"content": "Use Redis", "id": "m", "labels": ["infra"]})
    await api.put("/agent/working-memory", {"content": "Ship"})
    body = {"messages": [{"role": "user", "content": "more"}], "idempotency_key": "K", "expected_message_count": 2}
    await api.post("/threads/t/append", body)


@pytest.mark.anyio
async def test_a_backup_is_restored_into_either_database(
    api: Api, tmp_path: Path, postgres_server: postgres.Server
) -> None:
    await filled(api)
    file = tmp_path / "archive.jsonl.gz"
    rows = backup.save(api.archive, file)
    assert file.stat().st_mode & 0o777 == 0o600
    with postgres_server.database() as address:
        for place in (tmp_path / "restored.db", address):
            archive = Archive(place)
            archive.open()
            assert backup.restore(archive, file) == rows
            report = check.check(archive)
            assert (report.faults, report.documents) == ([], 5)
            again = tmp_path / f"{archive.database.dialect}.gz"
            backup.save(archive, again)
            with pytest.raises(UsageError) as refused:
                backup.restore(archive, file)
            assert refused.value.code == "conflict"
            archive.close()


@pytest.mark.anyio
async def test_half_a_backup_restores_nothing(api: Api, tmp_path: Path) -> None:
    await filled(api)
    file = tmp_path / "archive.jsonl.gz"
    backup.save(api.archive, file)
    whole = file.read_bytes()
    archive = Archive(tmp_path / "restored.db")
    archive.open()
    for damaged in (whole[: len(whole) // 2], whole[:-9], b"", b"not gzip"):
        file.write_bytes(damaged)
        with pytest.raises(UsageError) as refused:
            backup.restore(archive, file)
        assert refused.value.code == "invalid_argument"
    assert check.check(archive).documents == 0
    archive.close()


DAMAGE = {
    "a count": "UPDATE threads SET message_count = 9",
    "a gap": "DELETE FROM messages WHERE order_index = 0",
    "a lost thread": "DELETE FROM threads",
    "a changed text": "UPDATE messages SET content = 'something else entirely here' WHERE order_index = 1",
}


@pytest.mark.anyio
@pytest.mark.parametrize("damage", sorted(DAMAGE))
async def test_what_is_wrong_is_found_and_repaired(api: Api, damage: str) -> None:
    await filled(api)
    assert check.check(api.archive).faults == []
    with api.archive.database.writing() as connection:
        connection.execute(text(DAMAGE[damage]))
    report = check.check(api.archive)
    assert report.faults
    assert not report.clean
    assert check.check(api.archive, repair=True).clean
    assert check.check(api.archive).faults == []
    if damage == "a changed text":
        assert await api.found("entirely") == ["t"]
        assert await api.found("understood") == []


def run(*arguments: str, home: Path, code: int = 0) -> Any:
    command = [COMMAND, "serve", *arguments, "--json"]
    done = subprocess.run(
        command, env=environment(home), capture_output=True, text=True, timeout=90, cwd=home, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_the_commands_make_keys_check_save_and_restore(database: Path | str, tmp_path: Path) -> None:
    place = options(database)
    key = run("keys", "add", "laptop", "--space", "red", "--read-only", *place, home=tmp_path)["key"]
    (listed,) = run("keys", "list", *place, home=tmp_path)
    assert (listed["name"], listed["spaces"], listed["read_only"]) == ("laptop", ["red"], True)
    assert key.rsplit("_", 1)[1] not in json.dumps(listed)
    assert run("keys", "add", "laptop", *place, home=tmp_path, code=2)["error"]["code"] == "invalid_argument"
    assert run("check", *place, home=tmp_path)["clean"] is True
    file = tmp_path / "saved.gz"
    assert run("backup", str(file), *place, home=tmp_path)["rows"] == 1
    other = ["--data", str(tmp_path / "other.db")]
    assert run("restore", str(file), *other, home=tmp_path)["rows"] == 1
    assert run("restore", str(tmp_path / "none"), *other, home=tmp_path, code=1)["error"]["code"]


def test_an_address_that_is_taken_is_told(tmp_path: Path) -> None:
    with served(tmp_path / "a.db", tmp_path / "home") as server:
        port = server.address.rsplit(":", 1)[1]
        command = [COMMAND, "serve", "--port", port, "--data", str(tmp_path / "b.db")]
        done = subprocess.run(
            command, env=environment(tmp_path), capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 1
        assert "[server_error]" in done.stderr


def test_a_postgresql_that_is_not_there_is_told(tmp_path: Path) -> None:
    command = [COMMAND, "serve", "--database", f"postgresql://nobody@/none?host={tmp_path}"]
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "[database_failed]" in done.stderr
    wrong = [COMMAND, "serve", "--database", "mysql://x"]
    done = subprocess.run(wrong, env=environment(tmp_path), capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "[invalid_argument]" in done.stderr) == (2, True)


def test_tables_of_a_newer_version_are_left_alone(database: Path | str) -> None:
    archive = Archive(database)
    archive.open()
    with archive.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(UnavailableError) as refused:
        archive.open()
    assert refused.value.code == "store_too_new"
    archive.close()


def test_a_postgresql_that_restarts_is_used_again(tmp_path: Path) -> None:
    with (
        postgres.server() as own,
        own.database() as address,
        served(address, tmp_path / "home") as server,
        httpx2.Client(base_url=server.address, timeout=60) as client,
    ):
        body = {"thread_id": "t", "messages": [{"role": "user", "content": "kept"}]}
        assert client.post("/threads", json=body).status_code == 200
        own.stop()
        gone = client.get("/threads/t")
        assert (gone.status_code, gone.json()["error_code"]) == (503, "database_failed")
        assert gone.json()["retryable"] is True
        assert client.get("/health").status_code == 503
        assert client.get("/livez").status_code == 200
        own.start()
        assert client.get("/threads/t").json()["messages"][0]["content"] == "kept"
