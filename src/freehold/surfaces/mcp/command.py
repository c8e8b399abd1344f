"""`freehold mcp` as the command line takes it."""

from __future__ import annotations

from typing import Annotated

import typer


def mcp(
    tools: Annotated[str, typer.Option(help="Groups of tools to offer, separated by commas.")] = "browser",
    project: Annotated[str, typer.Option(help="The project's folder, where the agent starts us elsewhere.")] = "",
    session: Annotated[str, typer.Option(help="Name of the session; resumes it.", envvar="FREEHOLD_SESSION")] = "",
    browser: Annotated[str, typer.Option(help="Part of the name of the browser, when several are connected.")] = "",
    launch: Annotated[bool, typer.Option("--launch", help="Start a browser of our own if none is connected.")] = False,
) -> None:
    """Serve the tools to an agent over MCP on standard input and output."""
    from freehold.surfaces.mcp.server import serve  # noqa: PLC0415 - the MCP SDK takes 1.6 s to import

    groups = tuple(group.strip() for group in tools.split(",") if group.strip())
    serve(groups=groups, project=project, session=session, browser=browser, launch=launch)
