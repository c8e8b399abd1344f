"""The two lines that connect the user's own Chrome and agent."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """What a command is for, and the command."""

    purpose: str
    command: str


LINES = (
    Line("Connect your own Chrome", "freehold setup"),
    Line("Connect your agent, here Claude Code", "claude mcp add freehold -- freehold mcp"),
)
OTHER_AGENTS = "Any other agent that speaks MCP: give it the command “freehold mcp”."
