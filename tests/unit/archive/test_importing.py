"""Past sessions, file by file."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from freehold.archive.cursors import Cursors
from freehold.archive.importing import Importing, Outcome, Session, sessions_of
from freehold.errors import UnavailableError, UsageError

from .pi_session import PiSession
from .stub import Stub, connection_to

pytestmark = pytest.mark.anyio


class Import:
    """An import of everything in `folder`, as one run of the command makes it."""

    def __init__(self, folder: Path, stub: Stub) -> None:
        self.folder = folder
        self.stub = stub
        self.outcomes: list[Outcome] = []

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[Importing]:
        cursors = Cursors(self.folder / "cursors")
        try:
            yield Importing(cursors, "backend")
        finally:
            cursors.close()

    def sessions(self) -> list[Session]:
        return [Session("pi", file) for file in sorted((self.folder / "sessions").iterdir())]

    async def __call__(self) -> list[str]:
        """Run it and return what became of each session, by state."""
        self.outcomes = []
        async with self.opened() as importing, connection_to(self.stub) as connection:
            async for outcome in importing.run(connection.client, importing.open(self.sessions())):
                self.outcomes.append(outcome)
        return [outcome.state for outcome in self.outcomes]

    async def planned(self) -> list[Outcome]:
        async with self.opened() as importing:
            return [outcome async for outcome in importing.plan(importing.open(self.sessions()))]


@pytest.fixture
def stub() -> Stub:
    return Stub()


@pytest.fixture
def run(tmp_path: Path, stub: Stub) -> Import:
    return Import(tmp_path, stub)


def session(run: Import, name: str) -> PiSession:
    return PiSession(run.folder / "sessions", name)


async def test_each_session_is_imported_once_and_grows(run: Import, stub: Stub) -> None:
    one = session(run, "a").turn(1)
    session(run, "b").turn(2)
    assert await run() == ["new", "new"]
    assert await run() == []
    one.turn(3)
    assert await run() == ["grown"]
    assert (run.outcomes[0].added, run.outcomes[0].messages) == (2, 4)
    assert stub.texts("pi-a") == ["question 1", "answer 1", "question 3", "answer 3"]


async def test_a_plan_says_what_would_come_and_does_nothing(run: Import, stub: Stub) -> None:
    session(run, "a").turn(1)
    session(run, "b").user("unanswered")
    planned = await run.planned()
    assert [(one.state, one.threads, one.messages) for one in planned] == [("planned", ("pi-a",), 2), ("empty", (), 0)]
    assert stub.requests == []
    assert await run() == ["new", "empty"]


async def test_nothing_in_the_source_is_changed(run: Import) -> None:
    file = session(run, "a").turn(1).file
    before = (hashlib.sha256(file.read_bytes()).digest(), file.stat().st_mtime_ns, list(file.parent.iterdir()))
    await run()
    assert (hashlib.sha256(file.read_bytes()).digest(), file.stat().st_mtime_ns, list(file.parent.iterdir())) == before


async def test_one_that_is_refused_says_why_and_holds_no_other_up(run: Import, stub: Stub) -> None:
    for name in "abc":
        session(run, name).turn(1)
    stub.refused = {"pi-b"}
    assert await run() == ["new", "failed", "new"]
    assert "too strange" in run.outcomes[1].why
    stub.refused = set()
    assert await run() == ["new"]


async def test_a_file_of_another_kind_is_no_reason_to_stop(run: Import) -> None:
    session(run, "a").turn(1)
    (run.folder / "sessions" / "0.jsonl").write_bytes(b"\x00\xff" * 1000)
    (run.folder / "sessions" / "1.jsonl").write_text('{"type": "message", "message": {"role": ["user"]}}\n' * 3)
    (run.folder / "sessions" / "2.jsonl").mkdir()
    assert await run() == ["empty", "empty", "failed", "new"]


async def test_a_server_that_goes_away_ends_the_run_and_the_next_goes_on(run: Import, stub: Stub) -> None:
    for name in "abc":
        session(run, name).turn(1)

    def leave(number: int) -> None:
        stub.down = number >= 2

    stub.after = leave
    with pytest.raises(UnavailableError) as caught:
        await run()
    assert caught.value.code == "backend_unreachable"
    assert len(run.outcomes) == 2
    stub.down, stub.after = False, stub.before
    assert await run() == ["new"]


async def test_a_thread_that_another_program_made_is_left_as_it_is(run: Import, stub: Stub, tmp_path: Path) -> None:
    file = tmp_path / "theirs.jsonl"
    rows = '{"type": "user", "uuid": "u", "message": {"role": "user", "content": "Hello"}}\n'
    file.write_text(rows + rows.replace('"u"', '"v"').replace("user", "assistant"))
    made = {"messages": [{"role": "user", "content": "Hello", "metadata": {"uuid": "u"}}]}
    stub.threads["claude-code-theirs"] = {"thread": {"thread_id": "claude-code-theirs", "message_count": 1}, **made}
    async with run.opened() as importing, connection_to(stub) as connection:
        outcomes = [one async for one in importing.run(connection.client, [Session("claude-code", file)])]
    assert (outcomes[0].state, len(stub.texts("claude-code-theirs"))) == ("failed", 1)
    assert "another program" in outcomes[0].why


def test_an_agent_that_cannot_be_read_is_refused_with_those_that_can() -> None:
    with pytest.raises(UsageError) as caught:
        sessions_of("cursor")
    assert "claude-code" in caught.value.message
