"""`freehold archive` from a shell, on a machine where nothing but Freehold is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.contract.memory.shell import Shell
from tests.unit.archive.pi_session import THREAD, PiSession


class User(Shell):
    """Somebody with sessions of Pi."""

    def archive(self, *words: str, text: str = "", code: int = 0) -> str:
        done = self("archive", *words, text=text)
        assert done.returncode == code, done.stderr or done.stdout
        return done.stdout if not code else done.stdout + done.stderr

    def data(self, *words: str, text: str = "", code: int = 0) -> Any:
        return json.loads(self.archive(*words, "--json", text=text, code=code))


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path / "home", "kim")


def test_past_sessions_are_imported_found_read_and_exported(user: User) -> None:
    PiSession(user.home / ".pi/agent/sessions/--code--").turn(1).user("Which port?").answer("8080, as \x1b[31mever")
    assert "1 planned" in user.archive("import", "--from", "pi", "--dry-run")
    assert user.data("list")["total"] == 0
    assert user.data("import", "--from", "pi")["states"]["new"] == 1
    assert user.data("import", "--from", "pi")["states"] == {"same": 1}
    assert user.data("search", "--threads", "port")["threads"][0]["thread_id"] == THREAD
    shown = user.archive("read", THREAD)
    assert "8080, as" in shown
    assert "\x1b" not in shown  # neither the session's nor, in a pipe, ours
    user.archive("export", str(user.home / "out"))
    (line,) = (user.home / "out" / "threads.jsonl").read_text().splitlines()
    assert [one["content"] for one in json.loads(line)["messages"]][:2] == ["question 1", "answer 1"]
    assert (user.home / "out").stat().st_mode & 0o777 == 0o700
    files = list((user.home / "freehold" / "archive").iterdir())
    assert {file.stat().st_mode & 0o077 for file in files} == {0}


def test_a_memory_is_saved_from_a_pipe_and_searched(user: User) -> None:
    saved = user.data("save", "Ports", "--type", "fact", "--label", "net", text="The web server\nuses 8080.\n")
    assert saved["created"]
    assert user.data("search", "8080")["memories"][0]["content"] == "The web server\nuses 8080.\n"
    assert "Nothing fits" in user.archive("search", "no-such-word", code=1)


def test_a_server_that_is_gone_is_said_with_its_code(user: User) -> None:
    user.environment["NMEM_API_URL"] = "http://127.0.0.1:9"
    assert "[backend_unreachable]" in user.archive("list", code=1)
    PiSession(user.home / ".pi/agent/sessions/--code--").turn(1)
    assert "[backend_unreachable]" in user.archive("import", "--from", "pi", code=1)
    del user.environment["NMEM_API_URL"]
    assert user.data("sync")["states"]["new"] == 1  # what was to be imported is not forgotten


def test_doctor_says_which_server_is_used_and_why(user: User) -> None:
    def hops() -> dict[str, Any]:
        return {one["hop"]: one for one in json.loads(user("doctor", "--json").stdout)["checks"]}

    assert (hops()["archive"]["state"], "embedded" in hops()["archive"]["detail"]) == ("ok", True)
    user.environment["NMEM_API_URL"] = "http://127.0.0.1:9"
    found = hops()["archive"]
    assert (found["state"], "NMEM_API_URL" in found["detail"]) == ("wrong", True)


@pytest.mark.parametrize(
    "words",
    [["import", "--from", "cursor"], ["import"], ["save", "T"], ["save", "T", "x", "--type", "nonsense"], ["search"]],
)
def test_wrong_usage_is_told_apart_from_failure(user: User, words: list[str]) -> None:
    assert "Traceback" not in user.archive(*words, code=2)
