"""`freehold mcp`: the tools over the Model Context Protocol on standard input and output, in both of its eras."""

from __future__ import annotations

import logging
import sys
from contextlib import AbstractAsyncContextManager, redirect_stdout
from functools import partial

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from freehold import PRODUCT, __version__
from freehold.surfaces.mcp import lifetime
from freehold.surfaces.mcp.calls import ToolCalls
from freehold.surfaces.mcp.instructions import instructions
from freehold.surfaces.mcp.offer import offered
from freehold.surfaces.mcp.owner import Caller, Opener, Place, RuntimeOwner

log = logging.getLogger(__name__)


def serve(*, groups: tuple[str, ...], project: str, session: str, browser: str, launch: bool) -> None:
    """Serve the tools of `groups` until standard input ends.

    `project`: the folder the agent works in; empty asks the client, else takes the working folder.
    `session`: the session's name; empty takes `FREEHOLD_SESSION`, else the client's and the project's name.
    `browser`: part of the name of the browser to use. `launch`: start a browser of our own when none is connected.
    Raises `UsageError` for a group that does not exist.
    """
    tools = offered(groups)
    opener = partial(_open_runtime, browser=browser, launch=launch)
    serve_tools(tools, opener, groups=frozenset(groups), project=project, session=session)


def serve_tools(
    tools: list[types.Tool], opener: Opener, *, groups: frozenset[str], project: str = "", session: str = ""
) -> None:
    """Serve `tools` of `groups` until standard input ends; `opener` opens what runs them at the first call."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    try:
        anyio.run(partial(_serve, tools, opener, groups, project=project, session=session))
    except* (BrokenPipeError, ConnectionResetError):
        log.debug("the client closed its end before the last answer")


async def _serve(
    tools: list[types.Tool], opener: Opener, groups: frozenset[str], *, project: str, session: str
) -> None:
    # The SDK diverts descriptor 1 while it serves; what Python still holds of a print would follow on the wire.
    async with stdio_server() as (read, write):
        with redirect_stdout(sys.stderr):
            leave = lifetime.leave_at_once
            try:
                async with RuntimeOwner(opener) as owner, anyio.create_task_group() as tasks:
                    tasks.start_soon(lifetime.cancel_when_told, tasks.cancel_scope)
                    tasks.start_soon(lifetime.cancel_when_orphaned, tasks.cancel_scope)
                    server = _server(ToolCalls(tools, owner, project=project, session=session), groups)
                    await server.run(read, write, server.create_initialization_options())
                    leave = lifetime.leave_soon
                    tasks.cancel_scope.cancel()
            except Exception:
                log.exception("the server failed")
                leave = lifetime.leave_failed
            finally:
                leave()


def _server(calls: ToolCalls, groups: frozenset[str]) -> Server:
    return Server(
        PRODUCT,
        version=__version__,
        instructions=instructions(groups),
        on_list_tools=calls.list,
        on_call_tool=calls.call,
    )


def _open_runtime(place: Place, *, browser: str, launch: bool) -> AbstractAsyncContextManager[Caller]:
    from freehold.app.runtime import open_runtime  # noqa: PLC0415 - 0.2 s that `tools/list` need not wait for

    return open_runtime(session=place.session, browser=browser, launch=launch, project=place.project, agent=place.agent)
