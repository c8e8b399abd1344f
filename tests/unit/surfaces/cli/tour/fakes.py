"""Tools and a progress that do as they are told."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from freehold.errors import UnavailableError, UsageError
from freehold.surfaces.cli.tour.journey import Opened
from freehold.surfaces.cli.tour.step import Outcome, Step
from freehold.surfaces.cli.tour.visit import Visit
from freehold.tools.result import Image, ToolResult, error_result


class FakeTools:
    """Answers every call with its own arguments; `fails` answers with an error."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.calls.append((name, dict(arguments)))
        if name == "fails":
            return error_result(UsageError("unknown_ref", "ref_9 was never given out."))
        if name == "navigate":
            return ToolResult("Tab 7", data={"tab": {"tabId": 7}})
        images = (Image(b"\xff\xd8picture", "image/jpeg"),) if arguments.get("action") == "screenshot" else ()
        return ToolResult(f"{name} answered", images=images)


class SilentProgress:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def began(self, title: str) -> None:
        self.lines.append(f"began {title}")

    def ended(self, outcome: Outcome) -> None:
        self.lines.append(f"{'passed' if outcome.passed else 'failed'} {outcome.title}")

    def left_out(self, count: int, why: str) -> None:
        self.lines.append(f"left out {count}: {why}")


class FakeBrowser:
    """Opens `tools` and says whether it has been closed again; `broken` cannot be opened."""

    def __init__(self, tools: FakeTools, *, broken: bool = False) -> None:
        self.tools = tools
        self.broken = broken
        self.closed = False

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Opened]:
        if self.broken:
            raise UnavailableError("browser_not_found", "There is no Chromium. Install one.")
        try:
            yield Opened(self.tools, "Fake 1")
        finally:
            self.closed = True


async def passes(visit: Visit) -> None:
    await visit.call("read_page")
    visit.check("one is one", got=1, expected=1)


async def differs(visit: Visit) -> None:
    visit.check("two is one", got=2, expected=1)
    visit.check("it goes on", got=1, expected=1)


async def stops(visit: Visit) -> None:
    visit.check("it was well until here", got=1, expected=1)
    await visit.call("fails")


async def breaks(visit: Visit) -> None:
    visit.check("it was well until here", got=1, expected=1)
    raise KeyError("no such thing")


async def does_nothing(visit: Visit) -> None:
    await visit.call("read_page")


def step(act: Any) -> Step:
    return Step(act.__name__, f"the story of {act.__name__}", act)
