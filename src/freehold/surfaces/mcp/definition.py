"""A tool of the catalogue in the shape of the Model Context Protocol."""

from __future__ import annotations

import mcp_types as types

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
