"""The catalogue's tools and results in the shapes of Pi's extension API."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import Any

import msgspec

from freehold.app.pi.settings import PiSettings
from freehold.archive.guidance import GUIDELINES
from freehold.tools import catalog
from freehold.tools.result import ToolResult
from freehold.tools.tool import Tool

_CLOSED_WORLD = frozenset({"memory", "archive"})
_DETAILS_LIMIT = 4_000
"""Bytes of a result's data that go along: Pi keeps them in the session's file, beside the text that says the same."""


def offered(settings: PiSettings) -> tuple[Tool, ...]:
    """Return the tools that `settings` let in, in the catalogue's order."""
    return tuple(tool for tool in catalog.TOOLS if getattr(settings.tools, tool.group, "off") != "off")


def declarations(settings: PiSettings) -> list[dict[str, Any]]:
    """Return what Pi registers: a declaration for each tool that is offered."""
    named = Names(settings)
    return [_declaration(tool, named, settings) for tool in offered(settings)]


class Names:
    """What the tools are called in Pi: browser tools bear the prefix, for other extensions have a `find` too."""

    def __init__(self, settings: PiSettings) -> None:
        self._prefix = settings.browser_prefix
        # Only names that cannot be words of a sentence: `find` and `navigate` stay as they are.
        unlike_words = [tool.name for tool in catalog.TOOLS if tool.group == "browser" and "_" in tool.name]
        self._told = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, unlike_words))})(?![\w-])")

    def of(self, tool: Tool) -> str:
        """Return the tool's name in Pi."""
        return self._prefix + tool.name if tool.group == "browser" else tool.name

    def told(self, text: str) -> str:
        """Return words of ours with the tools that they name called as in Pi."""
        return self._told.sub(lambda match: self._prefix + match[1], text)

    def own(self, name: str) -> str:
        """Return the catalogue's name of what Pi calls `name`."""
        return name.removeprefix(self._prefix)


def _declaration(tool: Tool, named: Names, settings: PiSettings) -> dict[str, Any]:
    deferred = tool.name in settings.deferred or getattr(settings.tools, tool.group) == "deferred"
    annotations = {
        "readOnlyHint": tool.read_only,
        "destructiveHint": tool.destructive,
        "openWorldHint": tool.group not in _CLOSED_WORLD,
    }
    declared: dict[str, Any] = {
        "name": named.of(tool),
        "tool": tool.name,
        "label": tool.name.replace("_", " "),
        "description": named.told(tool.description),
        "parameters": tool.schema(),
        "exposure": "deferred" if deferred else "direct",
        "annotations": annotations,
    }
    if lines := GUIDELINES.get(tool.name):
        declared["promptGuidelines"] = list(lines)
    # One after the other: a model that clicks and reads in one breath means them in that order.
    return {**declared, "executionMode": "sequential"} if tool.group == "browser" else declared


def answer(result: ToolResult, named: Names) -> dict[str, Any]:
    """Return what Pi's `execute` resolves with: the text, then the pictures."""
    text = named.told(result.text) if result.is_error else result.text
    content: list[dict[str, Any]] = [
        {"type": "image", "data": b64encode(image.data).decode(), "mimeType": image.mime_type}
        for image in result.images
    ]
    if text or not content:
        content.insert(0, {"type": "text", "text": text})
    return {"content": content, "details": _details(result), "isError": result.is_error}


def _details(result: ToolResult) -> dict[str, Any]:
    try:
        size = len(msgspec.json.encode(result.data))
    except (TypeError, ValueError, OverflowError):
        return {}  # half a surrogate pair, or an integer beyond what others read
    return result.data if size <= _DETAILS_LIMIT else {}
