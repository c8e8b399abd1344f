"""nmem's own command, unmodified from its registry, against `freehold serve` on both databases."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.contract.server.served import environment, served

NMEM = Path(sys.executable).parent / "nmem"
SESSION = "0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee"
AWKWARD = "We \"cache\" in 'Redis':\n\n\t缓存 在 Redis里 $HOME `x` \\n\n"


@dataclass(frozen=True, slots=True)
class Nmem:
    """The command with the environment of one user."""

    home: Path
    address: str
    key: str = ""

    def run(self, *arguments: str, code: int = 0) -> str:
        env = {**environment(self.home), "NMEM_API_URL": self.address, "NMEM_API_KEY": self.key}
        done = subprocess.run(
            [NMEM, "--json", *arguments],
            env=env,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == code, f"{arguments}: {done.returncode} {done.stdout} {done.stderr}"
        return done.stdout if code == 0 else done.stdout + done.stderr

    def json(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments))


@pytest.fixture
def nmem(database: Path | str, tmp_path: Path) -> Generator[Nmem]:
    with served(database, tmp_path / "server") as server:
        (tmp_path / "user").mkdir()
        yield Nmem(tmp_path / "user", server.address)


def test_it_finds_the_server_well(nmem: Nmem) -> None:
    status = nmem.json("status")
    assert (status["status"], status["database"]) == ("ok", True)
    assert nmem.json("stats")["memories"] == 0
    checks = {check["name"]: check["status"] for check in nmem.json("doctor")["checks"]}
    assert checks["server reachable"] == "pass"
    assert "fail" not in checks.values()


def test_it_keeps_finds_changes_and_deletes_memories(nmem: Nmem) -> None:
    added = nmem.json("m", "add", AWKWARD, "-t", "Cache", "--id", "cache", "-l", "infra", "-i", "0.8")
    assert (added["id"], added["action"]) == ("cache", "created")
    shown = nmem.json("m", "show", "cache")
    assert (shown["content"], shown["importance"], shown["labels"]) == (AWKWARD, 0.8, ["infra"])
    assert nmem.json("m", "add", AWKWARD, "--id", "cache", "-l", "redis")["action"] == "updated"
    assert nmem.json("m", "show", "cache")["labels"] == ["infra", "redis"]
    assert [memory["id"] for memory in nmem.json("m", "list")["memories"]] == ["cache"]
    for query in ("cache", "缓存", "Redis里", "redis"):
        found = nmem.json("m", "search", query)
        assert [memory["id"] for memory in found["memories"]] == ["cache"], query
        assert found["memories"][0]["score"] == 1
    assert nmem.json("m", "search", "redis", "-l", "elsewhere")["memories"] == []
    nmem.run("m", "update", "cache", "-l", "only", "-t", "Caching", "--content", "Now in Valkey")
    assert nmem.json("m", "show", "cache")["labels"] == ["only"]
    assert nmem.json("m", "search", "valkey")["memories"][0]["title"] == "Caching"
    assert nmem.json("m", "search", "redis")["memories"] == []
    nmem.run("m", "delete", "cache", "-f")
    assert "memory_not_found" in nmem.run("m", "show", "cache", code=1)


def test_it_makes_reads_and_deletes_threads(nmem: Nmem) -> None:
    said = [{"role": "user", "content": AWKWARD}, {"role": "assistant", "content": "Understood"}]
    made = nmem.json("t", "create", "--id", "Thread.1", "-t", "First", "-m", json.dumps(said))
    assert (made["id"], made["messages"]) == ("Thread.1", 2)
    assert "thread_exists" in nmem.run("t", "create", "--id", "Thread.1", "-t", "Again", "-c", "x", code=1)
    shown = nmem.json("t", "show", "Thread.1")
    assert [message["content"] for message in shown["messages"]] == [AWKWARD, "Understood"]
    listed = nmem.json("t", "list")
    assert (listed["total"], listed["threads"][0]["messages"], listed["threads"][0]["source"]) == (1, 2, "cli")
    assert [thread["id"] for thread in nmem.json("t", "search", "缓存")["threads"]] == ["Thread.1"]
    assert nmem.json("t", "delete", "Thread.1", "-f")["deleted_messages"] == 2
    assert "thread_not_found" in nmem.run("t", "show", "Thread.1", code=1)
    assert nmem.json("t", "search", "缓存")["threads"] == []


def test_its_retried_appends_add_once(nmem: Nmem) -> None:
    nmem.run("t", "create", "--id", "t", "-t", "T", "-c", "one")
    once = ("t", "append", "t", "-c", "two", "--idempotency-key", "K")
    assert [nmem.json(*once)["messages_added"] for _ in range(2)] == [1, 0]
    right = ("t", "append", "t", "-c", "three", "--idempotency-key", "C", "--expected-message-count", "2")
    for _ in range(2):
        answer = nmem.json(*right)
        assert (answer["append_mode"], answer["messages_added"], answer["total_messages"]) == ("checkpointed", 1, 3)
    wrong = nmem.run("t", "append", "t", "-c", "four", "--expected-message-count", "9", code=1)
    assert "checkpoint_conflict, retryable=false" in wrong
    assert nmem.json("t", "show", "t")["total_messages"] == 3


def test_it_imports_a_file_and_a_second_time_adds_nothing(nmem: Nmem) -> None:
    file = nmem.home / "talk.md"
    file.write_text("# A talk\n\n## User\nHow do I deploy?\n\n## Assistant\nRun make deploy.\n", encoding="utf-8")
    added = [
        nmem.json("t", "import", "-f", str(file), "--id", "talk")["results"][0]["messages_added"] for _ in range(2)
    ]
    assert added == [2, 0]
    roles = [message["role"] for message in nmem.json("t", "show", "talk")["messages"]]
    assert roles == ["user", "assistant"]


def _pi_session(home: Path, *said: str) -> Path:
    project = home / "project"
    project.mkdir(exist_ok=True)
    folder = home / ".pi" / "agent" / "sessions" / f"--{str(project).strip('/').replace('/', '-')}--"
    folder.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = [
        {"type": "session", "version": 3, "id": SESSION, "timestamp": "2026-07-18T10:00:00.000Z", "cwd": str(project)}
    ]
    for at, content in enumerate(said):
        role = ("user", "assistant")[at % 2]
        message = {"role": role, "content": [{"type": "text", "text": content}], "timestamp": 1784368801000 + at}
        before = f"entry{at - 1:03}" if at else None
        stamp = f"2026-07-18T10:00:{at + 1:02}.000Z"
        entries.append(
            {"type": "message", "id": f"entry{at:03}", "parentId": before, "timestamp": stamp, "message": message}
        )
    lines = "".join(json.dumps(entry) + "\n" for entry in entries)
    (folder / f"2026-07-18T10-00-00-000Z_{SESSION}.jsonl").write_text(lines, encoding="utf-8")
    return project


def test_it_syncs_a_growing_session_of_pi_once(nmem: Nmem) -> None:
    project = _pi_session(nmem.home, "How do we deploy?", "With make deploy.")
    save = ("t", "save", "--from", "pi", "-p", str(project))
    assert [nmem.json(*save)["results"][0]["action"] for _ in range(2)] == ["created", "unchanged"]
    _pi_session(nmem.home, "How do we deploy?", "With make deploy.", "And roll back?", "make rollback")
    synced = nmem.json("t", "sync", "--from", "pi", "--all-projects", "--apply")
    assert (synced["status"], synced["failed"]) == ("success", 0)
    messages = nmem.json("t", "show", f"pi-{SESSION}")["messages"]
    assert [message["content"] for message in messages] == [
        "How do we deploy?",
        "With make deploy.",
        "And roll back?",
        "make rollback",
    ]
    assert nmem.json("t", "list")["total"] == 1


def test_it_reads_context_and_working_memory(nmem: Nmem) -> None:
    assert nmem.json("wm", "read")["exists"] is False
    nmem.run("wm", "edit", "-m", "# Focus\n\nShip 缓存")
    assert nmem.json("wm", "read")["content"] == "# Focus\n\nShip 缓存"
    assert len(nmem.json("wm", "history")["dates"]) == 1
    assert "Ship 缓存" in nmem.json("context")["rendered_markdown"]
    assert [space["id"] for space in nmem.json("spaces", "list")["spaces"]] == ["default"]


def test_a_wrong_key_is_refused_with_its_code(nmem: Nmem) -> None:
    stranger = Nmem(nmem.home, nmem.address, key="fhk_000000000000_" + "x" * 43)
    assert "unauthorized, retryable=false" in stranger.run("t", "list", code=1)
