"""`freehold tool`: every tool of the catalogue from the shell.

Refs of one call work in the next, because they live in the browser.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import anyio
import msgspec
import typer
from typer.core import TyperGroup

from freehold.app.runtime import open_runtime
from freehold.errors import UsageError
from freehold.surfaces.cli import pictures, tool_options
from freehold.surfaces.cli.machine_output import print_json
from freehold.tools import catalog
from freehold.tools.result import ToolResult
from freehold.tools.tool import Tool

SESSION = "cli"

Json = Annotated[str, typer.Argument(metavar="[JSON]", help="All arguments as a JSON object; - reads standard input.")]
Output = Annotated[Path | None, typer.Option(help="The file for the picture; else one in the screenshots folder.")]
Session = Annotated[str, typer.Option(help="The session to work in.", envvar="FREEHOLD_SESSION")]
Browser = Annotated[str, typer.Option(help="Part of the name of the browser, when several are connected.")]
Project = Annotated[Path | None, typer.Option(help="The project's folder; else the working folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result for machines.")]

OWN_OPTIONS: dict[str, tuple[Any, Any]] = {
    "json_arguments": (Json, ""),
    "output": (Output, None),
    "session": (Session, SESSION),
    "browser": (Browser, ""),
    "project": (Project, None),
    "as_json": (AsJson, False),
}
_OF_GROUP = {"output": "browser", "session": "browser", "browser": "browser", "project": "memory"}


class ToolCommands(TyperGroup):
    """One subcommand a tool, made when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the tools, in the catalogue's order."""
        del ctx
        return [tool.name for tool in catalog.TOOLS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the subcommand of the tool `cmd_name`; raise `UsageError` (`unknown_tool`) when there is none."""
        del ctx
        return _command(catalog.named(cmd_name))


app = typer.Typer(
    cls=ToolCommands, add_completion=False, help="Use one tool, or see which there are.", rich_markup_mode="markdown"
)


@app.callback(invoke_without_command=True)
def tool(
    ctx: typer.Context,
    show: Annotated[bool, typer.Option("--list", help="List the tools.")] = False,
    as_json: AsJson = False,
) -> None:
    """Use one tool, or see which there are; `freehold tool NAME --help` shows its arguments.

    The exit code is 1 when the tool answers with an error, 2 when it was called wrongly.
    """
    if ctx.invoked_subcommand is not None:
        return
    if not show and not as_json:
        typer.echo(ctx.get_help())
    elif as_json:
        print_json([_describe(tool) for tool in catalog.TOOLS])
    else:
        width = max((len(tool.name) for tool in catalog.TOOLS), default=0)
        for tool in catalog.TOOLS:
            print(f"{tool.name:<{width}}  {_first_line(tool)}")


def _first_line(tool: Tool) -> str:
    return tool.description.splitlines()[0]


def _describe(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "group": tool.group,
        "description": tool.description,
        "read_only": tool.read_only,
        "destructive": tool.destructive,
        "input_schema": tool.schema(),
    }


def _command(tool: Tool) -> Any:
    own = {name: option for name, option in OWN_OPTIONS.items() if _OF_GROUP.get(name, tool.group) == tool.group}
    function = tool_options.with_options(partial(_run, tool), tool, own)
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    single.command(tool.name, help=tool.description)(function)
    command = typer.main.get_command(single)
    command.name = tool.name
    return command


def _run(tool: Tool, **given: Any) -> int:
    own = {name: given.pop(name, default) for name, (_, default) in OWN_OPTIONS.items()}
    arguments = _from_json(tool, own["json_arguments"]) | tool_options.values(tool, given)
    tool.parse(arguments)  # a wrong call is told apart from a tool that fails, and needs no browser
    result = anyio.run(partial(_call, tool, arguments, own))
    files = pictures.save(result.images, own["output"])
    _show(result, files, as_json=own["as_json"])
    return int(result.is_error)


async def _call(tool: Tool, arguments: dict[str, Any], own: dict[str, Any]) -> ToolResult:
    place = {name: own[name] for name in ("session", "browser", "project")}
    async with open_runtime(exclusive=False, **place) as runtime:
        return await runtime.call(tool.name, arguments)


def _from_json(tool: Tool, text: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        return msgspec.json.decode(sys.stdin.buffer.read() if text == "-" else text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        message = f'{tool.name}: the arguments must be one JSON object, such as \'{{"name": "value"}}\': {error}.'
        raise UsageError("invalid_argument", message) from error


def _show(result: ToolResult, files: list[Path], *, as_json: bool) -> None:
    if as_json:
        saved = [
            {"path": str(file), "mime_type": image.mime_type} for file, image in zip(files, result.images, strict=True)
        ]
        print_json({"text": result.text, "is_error": result.is_error, "data": result.data, "images": saved})
        return
    # An error's words go where a script looks for them; the answer's to where a pipe does.
    print(result.text, file=sys.stderr if result.is_error else sys.stdout)
    for file in files:
        print(file)
