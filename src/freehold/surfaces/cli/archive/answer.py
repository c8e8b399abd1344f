"""What a tool of the archive answers, for a command to print."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import anyio
import typer

from freehold.app.runtime import Runtime, open_runtime
from freehold.errors import from_wire
from freehold.surfaces.cli.machine_output import print_json

AsJson = Annotated[bool, typer.Option("--json", help="Print for machines.")]


def answer(tool: str, *, as_json: bool, **arguments: Any) -> dict[str, Any]:
    """Call `tool` and return its data, printed already where `as_json`; raises the error that it answers with."""
    data = anyio.run(partial(_call, tool, arguments))
    if as_json:
        print_json(data)
    return data


async def _call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    async with open_runtime(session="cli", exclusive=False) as runtime:
        return await called(runtime, tool, arguments)


async def called(runtime: Runtime, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Call `tool` and return its data; raises the error that it answers with."""
    result = await runtime.call(tool, arguments)
    if result.is_error:
        raise from_wire(result.data["error"])
    return result.data


def counted(data: dict[str, Any], shown: int) -> str:
    """Return how many of how many are shown."""
    least = "at least " if data.get("total_is_lower_bound") else ""
    return f"{shown:,} of {least}{data['total']:,}"
