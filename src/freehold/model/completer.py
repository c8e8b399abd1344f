"""The seam to a model: whoever owns one answers a request with words or with uses of tools."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec


class ToolSpec(msgspec.Struct, frozen=True):
    """A tool that the model may use; `schema` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: dict[str, Any]


class ToolUse(msgspec.Struct, frozen=True):
    """The model's wish to run a tool. Its arguments are the model's words: validate them."""

    id: str
    name: str
    arguments: dict[str, Any]


class Message(msgspec.Struct, frozen=True):
    """One message. An assistant's may use tools; a tool's answers the use `tool_use_id`."""

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    tool_uses: tuple[ToolUse, ...] = ()
    tool_use_id: str = ""
    is_error: bool = False


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked.

    `model`: "provider/id", empty for the one that the conversation uses. `max_tokens`: of the answer. `seconds`: the
    deadline of the whole request.
    """

    system: str = ""
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    model: str = ""
    max_tokens: int = 2_000
    seconds: float = 30.0


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answered. `model`: the one that did. The tokens are its own count, 0 where it gives none."""

    text: str = ""
    tool_uses: tuple[ToolUse, ...] = ()
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class Completer(Protocol):
    """A model that somebody else runs: the host of the conversation, or an endpoint that the user configured."""

    async def complete(self, request: Request) -> Answer:
        """Answer `request`; cancelling cancels it there too.

        Raises `UnavailableError`: `model_unavailable` where there is no such model or no key for it, `model_failed`
        where it answered with an error, `timeout` after the request's seconds.
        """
        ...
