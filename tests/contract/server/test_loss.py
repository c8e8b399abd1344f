"""Eight writers and a server that is killed at random: every message is there once, in order, and found."""

from __future__ import annotations

import random
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest

from freehold.server.store import check
from freehold.server.store.archive import Archive
from tests.contract.server.served import Served, served

WRITERS = 8
BATCH = 3
WAIT = 60.0


@dataclass(slots=True)
class Running:
    """Where the server is now, and what it has acknowledged. Each start is a generation of its own."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    address: str = ""
    generation: int = 0
    acknowledged: int = 0
    finished: int = 0

    def moved_to(self, address: str) -> None:
        with self.changed:
            self.address, self.generation = address, self.generation + 1
            self.changed.notify_all()

    def after(self, generation: int) -> tuple[str, int]:
        """Wait for a server that was started after `generation`."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.generation > generation, WAIT)
            return self.address, self.generation

    def count(self) -> None:
        with self.changed:
            self.acknowledged += 1
            self.changed.notify_all()

    def finish(self) -> None:
        with self.changed:
            self.finished += 1
            self.changed.notify_all()

    def wait_for(self, acknowledged: int) -> bool:
        """Wait until so many requests were acknowledged; say whether writers still write."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.acknowledged >= acknowledged or self.finished == WRITERS, WAIT)
            return self.finished < WRITERS


def contents(thread: str, count: int) -> list[str]:
    return [f"{thread} said word{at} uniq{thread}x{at}" for at in range(count)]


def write(running: Running, thread: str, count: int) -> None:
    """Write a thread in batches; whatever was not acknowledged is sent again, as a client does."""
    said = contents(thread, count)
    requests: list[tuple[str, dict[str, object]]] = [("/threads", {"thread_id": thread, "messages": []})]
    for at in range(0, count, BATCH):
        some = [{"role": "user", "content": each, "external_id": each[-30:]} for each in said[at : at + BATCH]]
        requests.append((f"/threads/{thread}/append", {"messages": some, "idempotency_key": f"{thread}-{at}"}))
    generation = 0
    for path, body in requests:
        while True:
            address, at_least = running.after(generation)
            try:
                status = httpx2.post(address + path, json=body, timeout=WAIT).status_code
            except httpx2.HTTPError:
                generation = at_least
                continue
            # 409: the thread was made, and the answer lost.
            assert status in {200, 409}, status
            running.count()
            break
    running.finish()


def kill_often(running: Running, database: Path | str, home: Path, rounds: int) -> None:
    """Start the server `rounds` times and kill it after a few acknowledgements; then let the writers end."""
    chosen = random.Random(rounds)
    for _ in range(rounds):
        with served(database, home) as server:
            running.moved_to(server.address)
            if not running.wait_for(running.acknowledged + chosen.randrange(1, 25)):
                break
            server.process.send_signal(signal.SIGKILL)
    with served(database, home) as server:
        running.moved_to(server.address)
        while running.wait_for(running.acknowledged + 1):
            pass
        verify(server)


def verify(server: Served) -> None:
    with httpx2.Client(base_url=server.address, timeout=WAIT) as client:
        for thread in client.get("/threads", params={"limit": 100}).json()["threads"]:
            own = thread["id"]
            read = client.get(f"/threads/{own}").json()
            said = [message["content"] for message in read["messages"]]
            assert said == contents(own, len(said))
            assert thread["messages"] == len(said)
            for at in (0, len(said) // 2, len(said) - 1):
                found = client.get("/threads/search", params={"query": f"uniq{own}x{at}"}).json()["threads"]
                assert found[0]["thread_id"] == own


def lose_nothing(database: Path | str, home: Path, rounds: int) -> None:
    running = Running()
    count = 15 * rounds
    # Two of the eight are machines that sync the same session.
    threads = [f"t{at}" for at in range(WRITERS - 1)] + ["t0"]
    with ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(write, running, thread, count) for thread in threads]
        kill_often(running, database, home, rounds)
        for writer in writers:
            writer.result(WAIT)
    archive = Archive(database)
    archive.open()
    report = check.check(archive)
    archive.close()
    assert report.faults == []
    assert report.documents == (WRITERS - 1) * (count + 1)


def test_three_kills_lose_and_double_nothing(database: Path | str, tmp_path: Path) -> None:
    lose_nothing(database, tmp_path / "home", 3)


@pytest.mark.long
def test_fifty_kills_lose_and_double_nothing(database: Path | str, tmp_path: Path) -> None:
    lose_nothing(database, tmp_path / "home", 50)
