"""Stand-ins that are passed in: a clock that is moved by hand, a model with a script, and Pi's events."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio

from freehold.memory.extraction.turns import Settled, TurnLedger
from freehold.model.completer import Answer, Request

Reply = str | Answer | Exception | Callable[[Request], "Answer | str"]

START = 1_767_225_600.0  # 2026-01-01T00:00:00Z


class FakeClock:
    """Time that goes on only when it is told to."""

    def __init__(self) -> None:
        self._now = START
        self._sleepers: list[tuple[float, anyio.Event]] = []

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        event = anyio.Event()
        self._sleepers.append((self._now + seconds, event))
        await event.wait()

    def advance(self, seconds: float) -> None:
        self._now += seconds
        for at, event in self._sleepers:
            if at <= self._now:
                event.set()
        self._sleepers = [(at, event) for at, event in self._sleepers if at > self._now]


class ScriptedModel:
    """Answers with `replies` in turn, the last one again and again; remembers what it was asked."""

    def __init__(self, *replies: Reply) -> None:
        self.replies: list[Any] = list(replies)
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Answer:
        self.requests.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        told: Any = reply(request) if callable(reply) else reply
        return Answer(text=told) if isinstance(told, str) else told

    @property
    def asked(self) -> str:
        """Everything that the model was shown."""
        return "\n".join(message.text for request in self.requests for message in request.messages)


class SlowModel(ScriptedModel):
    """A model that answers when `go` is set; `begun` is set once it was asked."""

    def __init__(self, *replies: Reply) -> None:
        super().__init__(*replies)
        self.begun = anyio.Event()
        self.go = anyio.Event()

    async def complete(self, request: Request) -> Answer:
        self.begun.set()
        await self.go.wait()
        return await super().complete(request)


def memory(
    title: str, body: str, *, evidence: Sequence[int] = (1,), topic: str = "", description: str = ""
) -> dict[str, Any]:
    return {"title": title, "body": body, "evidence": list(evidence), "topic": topic, "description": description}


def answer(*memories: dict[str, Any]) -> str:
    return json.dumps({"memories": memories})


class Talk:
    """A conversation as Pi tells of it: events in the measured order, and the session file that goes with them."""

    def __init__(
        self, observe: Callable[[str, dict[str, Any]], Any], file: Path | None = None, name: str = "s1"
    ) -> None:
        self._observe = observe
        self.file = file
        self.name = name
        self._count = 0
        self.settled: list[Settled] = []
        if file is not None and not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)

    def __call__(self, event: str, **payload: Any) -> None:
        base = {"session_id": self.name, "session_file": str(self.file or "")}
        found = self._observe(event, base | payload)
        if isinstance(found, Settled):
            self.settled.append(found)

    def entry(self, role: str, text: str, tool: str = "") -> dict[str, Any]:
        self._count += 1
        entry = {"id": f"{self.name}-{self._count:04}", "parentId": None, "role": role, "text": text, "tool": tool}
        if self.file is not None:
            with self.file.open("a") as stream:
                stream.write(json.dumps(as_line(entry)) + "\n")
        return entry

    def open(self, reason: str = "startup") -> None:
        self("session_start", reason=reason)

    def prompt(self, text: str) -> list[dict[str, Any]]:
        """Begin a run; return the user's entry, which comes with the first turn."""
        self("before_agent_start")
        self("agent_start")
        return [self.entry("user", text)]

    def turn(self, entries: list[dict[str, Any]], *, outcome: str = "completed", signal_aborted: bool = False) -> None:
        self("turn_end", outcome=outcome, signal_aborted=signal_aborted, entries=entries)

    def end(self, outcome: str = "completed", *, goes_on: bool = False) -> None:
        self("agent_end")
        self("agent_before_settle", outcome=outcome, **{"continue": goes_on})

    def settle(self, *, aborted: bool = False) -> None:
        self("agent_settled", aborted=aborted)

    def say(self, text: str, reply: str = "Done.") -> None:
        """Hold one plain prompt from beginning to end."""
        self.turn([*self.prompt(text), self.entry("assistant", reply)])
        self.end()
        self.settle()

    def quit(self, reason: str = "quit") -> None:
        self("session_shutdown", reason=reason)

    def texts(self) -> list[list[str]]:
        return [[entry.text for entry in settled.entries] for settled in self.settled]


def watched() -> Talk:
    """A conversation that only the ledger sees."""
    return Talk(TurnLedger().observe)


def as_line(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry as Pi's session file has it."""
    content: Any = entry["text"] if entry["role"] == "user" else [{"type": "text", "text": entry["text"]}]
    message = {"role": entry["role"], "content": content}
    if entry["tool"]:
        message["toolName"] = entry["tool"]
    return {"type": "message", "id": entry["id"], "parentId": entry["parentId"], "message": message}
