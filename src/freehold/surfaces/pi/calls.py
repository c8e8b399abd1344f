"""Runs tool calls, each in a task of its own that can be cancelled."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

import anyio
from anyio.abc import TaskGroup

from freehold.app.pi.settings import PiSettings
from freehold.errors import DeniedError, FreeholdError, InternalError, UsageError
from freehold.model.completer import Completer
from freehold.model.host_relay import HostRelay
from freehold.surfaces.pi.rendering import Names, answer, offered
from freehold.surfaces.pi.status import Status
from freehold.tools.result import ToolResult, error_result

log = logging.getLogger(__name__)

Send = Callable[[Mapping[str, Any]], None]


class Caller(Protocol):
    """What the worker needs of a runtime."""

    async def call(self, name: str, arguments: Mapping[str, Any], completer: Completer | None = None) -> ToolResult:
        """Run the tool `name`, which may ask `completer`; errors come back as results."""
        ...


class Refusing:
    """A caller for when no runtime could be opened: every call says why."""

    def __init__(self, error: FreeholdError) -> None:
        self._error = error

    async def call(self, name: str, arguments: Mapping[str, Any], completer: Completer | None = None) -> ToolResult:
        """Answer with the error."""
        del name, arguments, completer
        return error_result(self._error)


class ToolCalls:
    """The calls of one session that are under way."""

    def __init__(self, tasks: TaskGroup, send: Send, settings: PiSettings, relay: HostRelay, status: Status) -> None:
        self.paused = False
        self.caller: Caller = Refusing(InternalError("internal_error", "No runtime is open yet. Call again."))
        self._tasks = tasks
        self._send = send
        self._names = Names(settings)
        self._tools = {tool.name: tool for tool in offered(settings)}
        self._relay = relay
        self._model = "" if settings.find_model == "session" else settings.find_model
        self._seconds = settings.find_seconds
        self._status = status
        self._scopes: dict[int, anyio.CancelScope] = {}

    def start(self, number: int, params: Mapping[str, Any]) -> None:
        """Run the call `number`; its answer is sent."""
        scope = self._scopes[number] = anyio.CancelScope()
        self._tasks.start_soon(self._run, number, params, scope)

    def cancel(self, number: int) -> None:
        """End the call `number`, in the browser too; nothing is answered."""
        if scope := self._scopes.get(number):
            scope.cancel()

    async def _run(self, number: int, params: Mapping[str, Any], scope: anyio.CancelScope) -> None:
        with scope:
            try:
                result = await self._result(number, params)
            except FreeholdError as error:
                result = error_result(error)
            except Exception as error:
                log.exception("a call failed")
                result = error_result(InternalError("internal_error", f"{type(error).__name__}: {error}"))
            self._send({"type": "tool_result", "id": number, "result": answer(result, self._names)})
        self._scopes.pop(number, None)

    async def _result(self, number: int, params: Mapping[str, Any]) -> ToolResult:
        name = str(params.get("name"))
        arguments = cast("dict[str, Any]", params.get("arguments") or {})
        tool = self._tools.get(name)
        if tool is None:
            valid = ", ".join(map(self._names.of, self._tools.values()))
            raise UsageError("unknown_tool", f"There is no tool {name!r}. Valid tools: {valid}.", {"tool": name})
        if tool.group != "browser":
            return await self._call(number, name, arguments, relayed=params.get("relay_inference") is True)
        if self.paused:
            message = "The user has paused the browser for this session with /freehold pause. Ask before you go on."
            raise DeniedError("paused", message)
        if not self._status.connected:
            self._progress(number, "Connecting to the browser…")
        result = await self._call(number, name, arguments, relayed=params.get("relay_inference") is True)
        self._status.called(result)
        return result

    async def _call(self, number: int, name: str, arguments: Mapping[str, Any], *, relayed: bool) -> ToolResult:
        completer = self._relay.for_call(number, self._model, self._seconds) if relayed else None
        return await self.caller.call(name, arguments, completer)

    def _progress(self, number: int, text: str) -> None:
        partial: dict[str, Any] = {"content": [{"type": "text", "text": text}], "details": {}}
        self._send({"type": "tool_progress", "id": number, "result": partial})
