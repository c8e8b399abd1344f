"""A model at an endpoint that the user configured: anything that answers OpenAI's chat completions.

Off until the user names one. What is sent goes to that address only: no redirect is followed, and nothing of the
environment but the one variable with the key is read.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, cast

import anyio
import anyio.to_thread
import msgspec

from freehold.config import Model
from freehold.errors import UnavailableError
from freehold.model.completer import Answer, Message, Request, ToolUse

_NO_KEY = "none"
"""Servers on the user's own machine mostly want no key; the SDK wants one."""


class Endpoint:
    """A `Completer` over one endpoint. Nothing is imported or opened before the first request."""

    def __init__(self, settings: Model, environment: Mapping[str, str] = os.environ) -> None:
        self._settings = settings
        self._environment = environment

    async def complete(self, request: Request) -> Answer:
        """Answer `request` as `Completer.complete` says; `request.model` stands in for the configured one."""
        key, seconds = self._key(), min(request.seconds, self._settings.seconds)
        # 1.2 s warm and up to 6 s cold, so it is imported for a configured endpoint only, and beside the event loop.
        await anyio.to_thread.run_sync(import_module, "openai")
        import openai  # noqa: PLC0415

        try:
            with anyio.fail_after(seconds):
                body = await _sent(self._settings, key, _body(request, self._settings.name), seconds)
        except (TimeoutError, openai.APITimeoutError) as error:
            message = f"The model at {self._settings.endpoint} did not answer within {seconds:g} s."
            raise UnavailableError("timeout", message, {"seconds": seconds}) from error
        except openai.APIStatusError as error:
            raise _refused(error.status_code, self._settings) from None
        except openai.APIConnectionError as error:
            message = f"Nothing answers at {self._settings.endpoint}. Start the server, or correct [model] endpoint."
            raise UnavailableError("model_unavailable", message) from error
        return _answer(body, self._settings)

    def _key(self) -> str:
        name = self._settings.key_env
        if not name:
            return _NO_KEY
        if key := self._environment.get(name, "").strip():
            return key
        raise UnavailableError("model_unavailable", f"The environment has no {name}, which [model] key_env names.")


async def _sent(settings: Model, key: str, body: dict[str, Any], seconds: float) -> bytes:
    import httpx2  # noqa: PLC0415 - comes with the SDK
    from openai import AsyncOpenAI  # noqa: PLC0415 - as above

    # A proxy of the environment would carry what is meant for this machine off it.
    http = httpx2.AsyncClient(
        follow_redirects=False, trust_env=not settings.is_local, timeout=seconds, verify=_authorities()
    )
    client = AsyncOpenAI(
        api_key=key, base_url=settings.endpoint, max_retries=0, timeout=seconds, http_client=cast("Any", http)
    )
    # The SDK takes these from the environment, where they belong to another endpoint.
    client.organization = client.project = None
    async with client:
        # The SDK builds what came without checking it; it is checked by the caller.
        raw = cast("Any", client.chat.completions.with_raw_response)
        return bytes((await raw.create(**body)).content)


@lru_cache(maxsize=1)
def _authorities() -> ssl.SSLContext:
    # Reading the system's certificates takes half a second, which every client would spend anew.
    return ssl.create_default_context()


def _body(request: Request, model: str) -> dict[str, Any]:
    messages = [{"role": "system", "content": request.system}] if request.system else []
    messages += [_message(message) for message in request.messages]
    body: dict[str, Any] = {
        "model": request.model or model,
        "messages": messages,
        "max_tokens": request.max_tokens,
        "stream": False,
    }
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
            }
            for tool in request.tools
        ]
    return body


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_use_id, "content": message.text}
    if not message.tool_uses:
        return {"role": message.role, "content": message.text}
    calls = [
        {
            "id": use.id,
            "type": "function",
            "function": {"name": use.name, "arguments": msgspec.json.encode(use.arguments).decode()},
        }
        for use in message.tool_uses
    ]
    return {"role": message.role, "content": message.text or None, "tool_calls": calls}


def _refused(status: int, settings: Model) -> UnavailableError:
    # The body is the endpoint's words and may repeat the key: it goes nowhere.
    if status in {401, 403, 404}:
        message = f"{settings.endpoint} answered {status}: it has no model {settings.name!r}, or does not take the key."
        return UnavailableError("model_unavailable", message, {"status": status})
    return UnavailableError("model_failed", f"{settings.endpoint} answered {status}.", {"status": status})


def _answer(body: bytes, settings: Model) -> Answer:
    try:
        told = msgspec.json.decode(body, type=_Completion)
        message = told.choices[0].message
    except (msgspec.DecodeError, UnicodeDecodeError, IndexError) as error:
        text = f"The model at {settings.endpoint} answered something else than a completion."
        raise UnavailableError("model_failed", text) from error
    usage = told.usage or _Usage()
    return Answer(
        text=message.content or "",
        tool_uses=tuple(filter(None, map(_use, message.tool_calls or ()))),
        model=told.model or settings.name,
        input_tokens=usage.prompt_tokens or 0,
        output_tokens=usage.completion_tokens or 0,
    )


class _Function(msgspec.Struct):
    name: str = ""
    arguments: str = "{}"


class _Call(msgspec.Struct):
    id: str = ""
    function: _Function | None = None


class _Message(msgspec.Struct):
    content: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(msgspec.Struct):
    message: _Message


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    model: str | None = None
    usage: _Usage | None = None


def _use(call: _Call) -> ToolUse | None:
    if call.function is None:
        return None
    try:
        arguments = msgspec.json.decode(call.function.arguments or "{}", type=dict[str, Any])
    except msgspec.DecodeError:
        # A model that writes broken JSON wants the tool without arguments, as far as anyone can tell; the tool's own
        # validation answers it.
        arguments = {}
    return ToolUse(call.id, call.function.name, arguments)
