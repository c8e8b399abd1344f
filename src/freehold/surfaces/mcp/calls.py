"""Answers `tools/list` and `tools/call` for a set of tools."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession

from freehold.errors import FreeholdError, InternalError, UsageError
from freehold.surfaces.mcp import session_name
from freehold.surfaces.mcp.client import client_name, project_folder
from freehold.surfaces.mcp.owner import Place, RuntimeOwner
from freehold.surfaces.mcp.rendering import answer
from freehold.tools.result import ToolResult, error_result

log = logging.getLogger(__name__)


class ToolCalls:
    """The tools that one server offers, and the runtime that runs them."""

    def __init__(self, tools: list[types.Tool], owner: RuntimeOwner, *, project: str, session: str) -> None:
        self._definitions = tools
        self._names = [tool.name for tool in tools]
        self._owner = owner
        self._project = project
        self._session = session

    async def list(
        self, context: ServerRequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Answer `tools/list`: all of them, on one page."""
        del context, params
        return types.ListToolsResult(tools=self._definitions)

    async def call(self, context: ServerRequestContext, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Answer `tools/call`; every fault of the call is an answer with `isError`, for the agent to read."""
        try:
            result = await self._run(context.session, params.name, params.arguments or {})
        except FreeholdError as error:
            result = error_result(error)
        except Exception as error:
            log.exception("a call of %s failed", params.name)
            result = error_result(InternalError("internal_error", f"{type(error).__name__}: {error}"))
        return answer(result)

    async def _run(self, client: ServerSession, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        if name not in self._names:
            message = f"There is no tool {name!r}. Valid tools: {', '.join(self._names)}."
            raise UsageError("unknown_tool", message, {"tool": name})

        async def find() -> Place:
            return await self._place(client)

        runtime = await self._owner.runtime(find)
        return await runtime.call(name, arguments)

    async def _place(self, client: ServerSession) -> Place:
        folder = Path(self._project).absolute() if self._project else await project_folder(client)
        agent = client_name(client)
        return Place(session_name.given(self._session) or session_name.derived(agent, folder), folder, agent)
