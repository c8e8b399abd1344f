"""The catalogue's tools and results in the shapes of the Model Context Protocol."""

from __future__ import annotations

from base64 import b64encode

import mcp_types as types

from freehold.tools.result import ToolResult
from freehold.tools.tool import Tool

_CLOSED_WORLD = frozenset({"memory", "archive"})


def definition(tool: Tool) -> types.Tool:
    """Return what `tools/list` says of `tool`."""
    annotations = types.ToolAnnotations(
        read_only_hint=tool.read_only,
        destructive_hint=tool.destructive,
        open_world_hint=tool.group not in _CLOSED_WORLD,
    )
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema(),
        annotations=annotations,
    )


def answer(result: ToolResult) -> types.CallToolResult:
    """Return what `tools/call` answers: the text, then the pictures.

    `data` is left out: some agents show `structuredContent` to their model in place of the text, which is made for it.
    """
    content: list[types.ContentBlock] = [
        types.ImageContent(data=b64encode(image.data).decode(), mime_type=image.mime_type) for image in result.images
    ]
    if result.text or not content:
        content.insert(0, types.TextContent(text=result.text))
    return types.CallToolResult(content=content, is_error=result.is_error)
