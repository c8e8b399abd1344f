"""The least that a server of the MCP SDK can be: one tool, over standard input and output."""

from __future__ import annotations

from functools import partial
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

_TOOL = types.Tool(name="nothing", description="Does nothing.", input_schema={"type": "object"})


async def _list(_context: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_TOOL])


async def _call(_context: Any, _params: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[])


async def _serve(server: Server) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(partial(_serve, Server("bare", on_list_tools=_list, on_call_tool=_call)))
