"""The archive in Pi: sessions archive themselves, a later one finds them, and a server that is down stops nothing."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from tests.contract.server.served import served
from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import Model, Request, Say, Use
from tests.e2e.pi.test_prompt import common

DEADLINE = 60.0
QUESTION = "Which roast shall we take?"
ANSWER = "The Harbour roast, because it keeps."
DOWN = "not being archived"


@pytest.fixture
def port() -> int:
    """Return a port at which nothing listens yet."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def eventually(holds: Callable[[], bool]) -> bool:
    """Wait until it holds."""
    deadline = time.monotonic() + DEADLINE
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def session(pi: PiHost) -> str:
    """Return the thread of the only session there is."""
    (file,) = pi.sessions.rglob("*.jsonl")
    return f"pi-{file.stem.split('_', 1)[1]}"


def said(address: str, thread: str) -> list[str]:
    """Return what a server has of a thread."""
    answer = httpx2.get(f"{address}/threads/{thread}", timeout=20)
    return [message["content"] for message in answer.json()["messages"]] if answer.status_code == 200 else []


def read_what_was_found(request: Request) -> Use:
    found = re.search(r"^- (pi-\S+)", request.result, re.MULTILINE)
    assert found, request.result
    return Use("nmem_read_thread", thread_id=found[1])


def test_the_second_session_finds_and_reads_the_first(pi: PiHost, model: Model, tmp_path: Path) -> None:
    with served(tmp_path / "archive.db", tmp_path / "server") as server:
        pi.environment["NMEM_API_URL"] = server.address
        model.says(Say(ANSWER))
        with pi.rpc() as rpc:
            rpc.run(QUESTION)
            assert eventually(lambda: said(server.address, session(pi)) == [QUESTION, ANSWER])
            rpc.call("new_session")
            model.says(Use("nmem_search", query="roast", kind="threads"), read_what_was_found, Say("The Harbour."))
            rpc.run("What did we decide on beans?")
    assert ANSWER in model.last_result()
    first, second, *_ = model.requests
    assert first.system == second.system
    assert "Use nmem_search before" in first.system


def test_the_embedded_archive_has_what_a_prompt_of_another_process_said(pi: PiHost, model: Model) -> None:
    model.says(Say(ANSWER))
    pi.ask(QUESTION)
    with pi.rpc() as rpc:

        def found() -> bool:
            model.says(Use("nmem_search", query="roast", kind="threads"), Say("Looked."))
            rpc.run("Look")
            return ANSWER in model.last_result()

        assert eventually(found)


def test_a_server_that_is_down_is_told_once_stops_nothing_and_is_caught_up(
    pi: PiHost, model: Model, port: int, tmp_path: Path
) -> None:
    pi.environment["NMEM_API_URL"] = f"http://127.0.0.1:{port}"
    model.says(Say(ANSWER), Say("Gladly."))
    with pi.rpc() as rpc:
        rpc.run(QUESTION)
        rpc.notice(DOWN)
        rpc.run("Thanks")
    assert sum(DOWN in str(record.get("message", "")) for record in rpc.seen) == 1
    thread = session(pi)
    with served(tmp_path / "archive.db", tmp_path / "server", port=port) as server, pi.rpc("--no-session"):
        assert eventually(lambda: said(server.address, thread) == [QUESTION, ANSWER, "Thanks", "Gladly."])


def test_a_prompt_ends_though_the_server_is_down(pi: PiHost, model: Model, port: int) -> None:
    pi.environment["NMEM_API_URL"] = f"http://127.0.0.1:{port}"
    model.says(Say(ANSWER))
    done = pi.ask(QUESTION)
    assert (done.returncode, done.stdout) == (0, f"{ANSWER}\n")
    assert pi.workers() == []


def test_the_context_bundle_begins_every_session_and_stays_the_same_bytes(
    pi: PiHost, model: Model, tmp_path: Path
) -> None:
    pi.settings(injectContextBundle=True)
    with served(tmp_path / "archive.db", tmp_path / "server") as server:
        pi.environment["NMEM_API_URL"] = server.address
        memory = {"title": "Beans", "content": "We always buy from the harbour.", "importance": 1.0}
        assert httpx2.post(f"{server.address}/memories", json=memory, timeout=20).status_code < 300
        with pi.rpc() as rpc:
            rpc.run("First")
            httpx2.post(f"{server.address}/memories", json=memory | {"content": "Later."}, timeout=20)
            rpc.run("Second")
    first, second = model.requests
    assert "<context_bundle" in first.system
    assert "stands above" in first.system
    assert b"First" in common(first, second)
    assert first.system == second.system


def test_without_the_bundle_the_session_begins_with_the_guidance_and_a_notice(
    pi: PiHost, model: Model, port: int
) -> None:
    pi.settings(injectContextBundle=True)
    pi.environment["NMEM_API_URL"] = f"http://127.0.0.1:{port}"
    done = pi.ask("Hello")
    assert done.returncode == 0
    assert "without the archive's context bundle" in done.stderr
    assert "<context_bundle" not in model.requests[0].system
    assert "<freehold-archive>" in model.requests[0].system


def test_nmem_config_sets_what_the_next_session_begins_with(pi: PiHost, model: Model) -> None:
    with pi.rpc() as rpc:
        rpc.send("prompt", message="/nmem-config injectContextBundle true")
        shown = rpc.notice("injectContextBundle: true")
    assert "server: " in shown
    assert '"injectContextBundle": true' in (pi.agent / "freehold.json").read_text()


def test_with_the_archive_off_nothing_is_archived_or_said_of_it(pi: PiHost, model: Model) -> None:
    pi.settings(tools={"archive": "off"})
    pi.ask("Hello")
    assert "freehold-archive" not in model.requests[0].system
    assert "nmem_search" not in model.requests[0].tools
    assert not (pi.home / "archive").exists()
