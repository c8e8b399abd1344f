"""A tool's result in the shape of the Model Context Protocol."""

from __future__ import annotations

from base64 import b64encode

import mcp_types as types

from freehold.tools.result import ToolResult


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
