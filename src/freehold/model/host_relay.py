"""A model that the host of the conversation runs: requests go out through it, answers come back by their id."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any, cast

import anyio
import msgspec

from freehold.errors import UnavailableError
from freehold.model.completer import Answer, Message, Request, ToolUse

Send = Callable[[dict[str, Any]], None]
"""Hands one frame to the host without waiting."""

_numbers = itertools.count(1)


class _Waiting:
    """One request that is out: the result is put in before `done` is set."""

    def __init__(self) -> None:
        self.done = anyio.Event()
        self.result: Mapping[str, Any] = {}


class HostRelay:
    """A `Completer` over `inference_request` and `inference_response`.

    `answered` is told each response; `for_call` gives a view whose cost the host counts with that call of a tool.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: dict[str, _Waiting] = {}

    def answered(self, request_id: str, result: Mapping[str, Any]) -> None:
        """Take the host's answer; one that nobody waits for any more is dropped."""
        waiting = self._waiting.get(request_id)
        if waiting is not None:
            waiting.result = result
            waiting.done.set()

    def for_call(self, call: int, model: str = "", seconds: float = math.inf) -> CallRelay:
        """Return a completer for the tool call `call`.

        `model` answers where a request names none; no request lasts longer than `seconds`.
        """
        return CallRelay(self, call, model, seconds)

    async def complete(self, request: Request) -> Answer:
        """Answer `request` as `Completer.complete` says."""
        return await self.ask(request, {})

    async def ask(self, request: Request, more: Mapping[str, Any]) -> Answer:
        """Answer `request`; `more` stands in the frame beside it."""
        request_id = f"i{next(_numbers)}"
        waiting = self._waiting[request_id] = _Waiting()
        self._send({"type": "inference_request", "request_id": request_id, **_frame(request), **more})
        try:
            with anyio.move_on_after(request.seconds):
                await waiting.done.wait()
        finally:
            del self._waiting[request_id]
            if not waiting.done.is_set():
                self._send({"type": "inference_request", "request_id": request_id, "cancel": True})
        if not waiting.done.is_set():
            message = f"The model did not answer within {request.seconds:g} s."
            raise UnavailableError("timeout", message, {"seconds": request.seconds})
        return _answer(waiting.result)


class CallRelay:
    """A `Completer` for one call of a tool."""

    def __init__(self, relay: HostRelay, call: int, model: str, seconds: float) -> None:
        self._relay = relay
        self._call = call
        self._model = model
        self._seconds = seconds

    async def complete(self, request: Request) -> Answer:
        """Answer `request` as `Completer.complete` says."""
        seconds = min(request.seconds, self._seconds)
        wanted = msgspec.structs.replace(request, model=request.model or self._model, seconds=seconds)
        return await self._relay.ask(wanted, {"call": self._call})


def _frame(request: Request) -> dict[str, Any]:
    names = {use.id: use.name for message in request.messages for use in message.tool_uses}
    return {
        "model": request.model,
        "system": request.system,
        "messages": [_message(message, names) for message in request.messages],
        "tools": [
            {"name": tool.name, "description": tool.description, "parameters": tool.schema} for tool in request.tools
        ],
        "max_tokens": request.max_tokens,
    }


def _message(message: Message, names: Mapping[str, str]) -> dict[str, Any]:
    """Return `message` in the shape that Pi's providers take."""
    if message.role == "user":
        return {"role": "user", "content": message.text}
    texts = [{"type": "text", "text": message.text}] if message.text else []
    if message.role == "tool":
        name = names.get(message.tool_use_id, "")
        about = {"toolCallId": message.tool_use_id, "toolName": name, "isError": message.is_error}
        return {"role": "toolResult", "content": texts, **about}
    uses = [
        {"type": "toolCall", "id": use.id, "name": use.name, "arguments": use.arguments} for use in message.tool_uses
    ]
    return {"role": "assistant", "content": [*texts, *uses]}


def _answer(result: Mapping[str, Any]) -> Answer:
    if "missing" in result:
        message = f"Pi has no model {result['missing']}, or no key for it. Choose another, or log in with /login."
        raise UnavailableError("model_unavailable", message, {"model": str(result["missing"])})
    reason = result.get("stop_reason")
    if reason in {"error", "aborted"} or reason is None:
        said = str(result.get("error") or reason or "no answer")[:300]
        raise UnavailableError("model_failed", f"The model did not answer: {said}")
    usage = _mapping(result.get("usage"))
    return Answer(
        text=str(result.get("text", "")),
        tool_uses=tuple(_use(_mapping(use)) for use in result.get("tool_uses") or ()),
        model=str(result.get("model", "")),
        input_tokens=sum(_count(usage.get(kind)) for kind in ("input", "cacheRead", "cacheWrite")),
        output_tokens=_count(usage.get("output")),
    )


def _use(use: Mapping[str, Any]) -> ToolUse:
    return ToolUse(str(use.get("id", "")), str(use.get("name", "")), dict(_mapping(use.get("arguments"))))


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _count(value: Any) -> int:
    return int(value) if isinstance(value, int | float) else 0
