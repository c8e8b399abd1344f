"""One of Pi's sessions in the worker: who hears what, and the drain at its end."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

from freehold.app.pi.settings import PiSettings
from freehold.model.completer import Completer
from freehold.surfaces.pi import declaring, memory_events
from freehold.surfaces.pi.command import Said
from freehold.surfaces.pi.session import PiSession
from freehold.surfaces.pi.start import SessionIdentity, Start
from freehold.tools.result import ToolResult


class Wire:
    """Keeps what is sent; `until` waits for a frame."""

    def __init__(self) -> None:
        self.frames: list[Mapping[str, Any]] = []
        self._sent = anyio.Event()

    def send(self, frame: Mapping[str, Any]) -> None:
        self.frames.append(frame)
        self._sent.set()
        self._sent = anyio.Event()

    async def result(self, number: int) -> Any:
        with anyio.fail_after(20):
            while True:
                sent = self._sent
                for frame in self.frames:
                    if frame["type"] == "tool_result" and frame["id"] == number:
                        return frame["result"]
                await sent.wait()


class Caller:
    """A runtime whose one call ends when it is told to."""

    def __init__(self) -> None:
        self.called = anyio.Event()
        self.cancelled = anyio.Event()
        self.completer: Completer | None = None
        self.go = anyio.Event()

    async def call(self, name: str, arguments: Mapping[str, Any], completer: Completer | None = None) -> ToolResult:
        self.completer = completer
        self.called.set()
        try:
            await self.go.wait()
        except anyio.get_cancelled_exc_class():
            self.cancelled.set()
            raise
        return ToolResult(f"{name} {dict(arguments)}")


class Extraction:
    """Keeps what it observes; its drain ends when it is told to."""

    def __init__(self) -> None:
        self.observed: list[tuple[str, Mapping[str, Any]]] = []
        self.running = anyio.Event()
        self.draining = anyio.Event()
        self.drained = anyio.Event()
        self.seconds = 0.0

    def observe(self, event: str, payload: Mapping[str, Any]) -> None:
        self.observed.append((event, payload))

    async def run(self) -> None:
        self.running.set()
        await anyio.sleep_forever()

    async def drain(self, seconds: float) -> bool:
        self.seconds = seconds
        self.draining.set()
        await self.drained.wait()
        return True

    async def command(self, words: str) -> Said:
        return Said(words)


START = Start(cwd="/", agent_folder="/", mode="tui", session=SessionIdentity("s1", "/sessions/s1.jsonl"))


@asynccontextmanager
async def serving(
    caller: Caller, extraction: Extraction | None = None, settings: PiSettings | None = None, start: Start = START
) -> AsyncGenerator[tuple[PiSession, Wire]]:
    wire = Wire()
    async with anyio.create_task_group() as tasks:
        session = PiSession(wire, tasks, start, settings or PiSettings(), caller, extraction=extraction)
        session.begin()
        yield session, wire
        tasks.cancel_scope.cancel()


def asked(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"type": "tool_request", "id": number, "method": method, "params": params}


@pytest.mark.anyio
async def test_a_call_is_answered_under_its_number() -> None:
    caller = Caller()
    caller.go.set()
    async with serving(caller) as (session, wire):
        session.take(asked(7, "tool.call", name="find", arguments={"query": "x"}))
        assert (await wire.result(7))["content"] == [{"type": "text", "text": "find {'query': 'x'}"}]


@pytest.mark.anyio
async def test_a_call_may_ask_the_hosts_model_only_where_the_request_says_so() -> None:
    for relayed in (True, False):
        caller = Caller()
        caller.go.set()
        async with serving(caller) as (session, wire):
            session.take(asked(1, "tool.call", name="find", arguments={}, relay_inference=relayed))
            await wire.result(1)
        assert (caller.completer is not None) is relayed


@pytest.mark.anyio
async def test_a_cancelled_call_ends_in_the_runtime_too() -> None:
    caller = Caller()
    async with serving(caller) as (session, _):
        session.take(asked(1, "tool.call", name="find", arguments={}))
        await caller.called.wait()
        session.take(asked(0, "cancel", id=1))
        with anyio.fail_after(20):
            await caller.cancelled.wait()


@pytest.mark.anyio
async def test_a_tool_whose_group_is_off_cannot_be_called() -> None:
    async with serving(Caller()) as (session, wire):
        session.take(asked(1, "tool.call", name="pmem_save", arguments={}))
        result = await wire.result(1)
    assert result["isError"]
    assert result["details"]["error"]["code"] == "unknown_tool"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "wish"},
        asked(1, "wish"),
        {"type": "tool_request", "method": "event", "params": 3},
        asked(1, "cancel", id="x"),
    ],
)
async def test_what_is_unknown_is_left_alone(message: dict[str, Any]) -> None:
    async with serving(Caller()) as (session, wire):
        session.take(message)
        session.take(asked(2, "shutdown"))
        await wire.result(2)
    assert [frame for frame in wire.frames if frame.get("id") == 1] == []


@pytest.mark.anyio
async def test_an_extraction_observes_every_event_in_order_with_the_session_beside_it() -> None:
    extraction = Extraction()
    session_told = {"id": "s1", "file": None}
    async with serving(Caller(), extraction) as (session, wire):
        session.take(asked(0, "event", name="turn_end", payload={"outcome": "completed", "session": session_told}))
        session.take(asked(0, "event", name="agent_settled", payload={"aborted": False, "session": session_told}))
        extraction.drained.set()
        session.take(asked(3, "shutdown", reason="quit", session=session_told))
        await wire.result(3)
    assert [name for name, _ in extraction.observed] == [
        "session_start",
        "turn_end",
        "agent_settled",
        "session_shutdown",
    ]
    start, turn = extraction.observed[0][1], extraction.observed[1][1]
    assert (start["reason"], start["session_file"]) == ("startup", "/sessions/s1.jsonl")
    assert (turn["outcome"], turn["session_id"], turn["session_file"]) == ("completed", "s1", "")


@pytest.mark.anyio
async def test_the_end_waits_for_the_memory_that_is_being_written() -> None:
    extraction = Extraction()
    async with serving(Caller(), extraction) as (session, wire):
        session.take(asked(3, "shutdown", reason="quit"))
        with anyio.fail_after(20):
            await extraction.draining.wait()
        assert not any(frame.get("id") == 3 for frame in wire.frames)
        extraction.drained.set()
        assert await wire.result(3) == {}


@pytest.mark.anyio
@pytest.mark.parametrize("seconds", [15.0, 0.5])
async def test_the_end_waits_as_long_as_the_user_chose(seconds: float) -> None:
    extraction = Extraction()
    extraction.drained.set()
    chosen = PiSettings() if seconds == 15 else PiSettings(extract_drain_seconds=seconds)
    async with serving(Caller(), extraction, chosen) as (session, wire):
        session.take(asked(3, "shutdown", reason="quit"))
        await wire.result(3)
    assert extraction.seconds == seconds
    assert declaring.declared(START, chosen, [])["drain_seconds"] == seconds


@pytest.mark.parametrize(("mode", "takes_over"), [("tui", True), ("rpc", True), ("print", False), ("json", False)])
def test_only_a_session_that_stays_takes_over_what_others_left(mode: str, *, takes_over: bool) -> None:
    start = msgspec.structs.replace(START, mode=mode)
    assert memory_events.takes_over(start, PiSettings(auto_extract=True)) is takes_over
    assert not memory_events.takes_over(start, PiSettings())
    nested = msgspec.structs.replace(start, nested=True)
    assert not memory_events.takes_over(nested, PiSettings(auto_extract=True))


@pytest.mark.anyio
async def test_a_paused_session_refuses_its_browser_tools_and_no_others() -> None:
    caller = Caller()
    caller.go.set()
    settings = PiSettings(tools=PiSettings().tools.__class__(memory="on"))
    async with serving(caller, settings=settings) as (session, wire):
        session.take(asked(1, "command.run", name="freehold", arguments="pause"))
        await wire.result(1)
        session.take(asked(2, "tool.call", name="navigate", arguments={}))
        session.take(asked(3, "tool.call", name="pmem_list", arguments={}))
        refused, allowed = await wire.result(2), await wire.result(3)
    assert refused["details"]["error"]["code"] == "paused"
    assert not allowed["isError"]


@pytest.mark.anyio
async def test_an_unknown_command_is_told_and_a_wrong_word_with_the_valid_ones() -> None:
    async with serving(Caller()) as (session, wire):
        session.take(asked(1, "command.run", name="wish", arguments=""))
        session.take(asked(2, "command.run", name="freehold", arguments="dance"))
        unknown, wrong = await wire.result(1), await wire.result(2)
    assert (unknown["level"], wrong["level"]) == ("error", "error")
    assert "browsers" in wrong["text"]


def test_a_session_is_named_after_its_folder_unless_the_user_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FREEHOLD_SESSION", raising=False)
    shop = Start(cwd=str(Path("/work") / "my\u202e shop\n"), agent_folder="/")
    assert shop.browser_session == "pi-my shop"
    assert Start(cwd="/x", agent_folder="/", flags={"session": "errands"}).browser_session == "errands"
    monkeypatch.setenv("FREEHOLD_SESSION", "chosen")
    assert shop.browser_session == "chosen"
