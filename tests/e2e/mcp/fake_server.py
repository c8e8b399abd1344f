"""A server over real standard input and output whose tools and runtime are fakes; it tells events on standard error."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any

import anyio
import msgspec

from freehold.errors import FreeholdError, UnavailableError
from freehold.surfaces.mcp.definition import definition
from freehold.surfaces.mcp.owner import Place
from freehold.surfaces.mcp.server import serve_tools
from freehold.tools.result import Image, ToolResult, error_result
from freehold.tools.tool import Arguments, Tool

PIXEL = b"\x89PNG\r\n\x1a\nnot really"


class Nothing(Arguments, frozen=True):
    """No arguments."""


class Echo(Arguments, frozen=True):
    """What to say, and how often."""

    text: Annotated[str, msgspec.Meta(description="What to say")]
    times: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1


def tell(event: str) -> None:
    print(f"event {event}", file=sys.stderr, flush=True)


async def echo(_: Any, arguments: Echo) -> ToolResult:
    return ToolResult(arguments.text * arguments.times)


async def measure(_: Any, arguments: Echo) -> ToolResult:
    return ToolResult(str(len(arguments.text)))


async def picture(_: Any, arguments: Nothing) -> ToolResult:
    return ToolResult("a picture", images=(Image(PIXEL, "image/png"),))


async def noise(_: Any, arguments: Nothing) -> ToolResult:
    print("this is not protocol")
    return ToolResult("made noise")


async def hang(_: Any, arguments: Nothing) -> ToolResult:
    tell("hanging")
    try:
        await anyio.sleep_forever()
        return ToolResult("not reached")
    finally:
        tell("hang cancelled")


async def crash(_: Any, arguments: Nothing) -> ToolResult:
    raise RuntimeError("a fault of ours")


TOOLS = (
    Tool("echo", "Says it again.", Echo, echo, read_only=True),
    Tool("measure", "Counts the characters.", Echo, measure, read_only=True),
    Tool("picture", "Answers with a picture.", Nothing, picture, read_only=True),
    Tool("noise", "Prints to standard output.", Nothing, noise),
    Tool("hang", "Never answers.", Nothing, hang, destructive=True),
    Tool("crash", "Raises.", Nothing, crash),
)


class Runtime:
    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        tool = next(tool for tool in TOOLS if tool.name == name)
        try:
            return await tool.handler(None, tool.parse(arguments))
        except FreeholdError as error:
            return error_result(error)


@asynccontextmanager
async def open_runtime(place: Place) -> AsyncGenerator[Runtime]:
    if place.session == "without browser":
        raise UnavailableError("browser_not_connected", "No browser is connected. Open it.")
    tell(f"opened {place.session}")
    try:
        yield Runtime()
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.lowlevel.checkpoint()
        tell("closed")


if __name__ == "__main__":
    project, session = (*sys.argv[1:], "", "")[:2]
    serve_tools(
        [definition(tool) for tool in TOOLS],
        open_runtime,
        groups=frozenset({"browser"}),
        project=project,
        session=session,
    )
