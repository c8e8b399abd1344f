"""Every tool there is, in the order in which surfaces show them."""

from __future__ import annotations

from collections.abc import Iterable

from freehold.errors import UsageError
from freehold.tools.tool import Tool

GROUPS = ("browser",)

TOOLS: tuple[Tool, ...] = ()


def of_groups(groups: Iterable[str]) -> tuple[Tool, ...]:
    """Return the tools of `groups`; raise `UsageError` for a group that does not exist."""
    chosen = set(groups)
    if unknown := sorted(chosen.difference(GROUPS)):
        message = f"There is no tool group {unknown[0]!r}. Valid groups: {', '.join(GROUPS)}."
        raise UsageError("invalid_argument", message)
    return tuple(tool for tool in TOOLS if tool.group in chosen)


def find(name: str) -> Tool:
    """Return the tool called `name`; raise `UsageError` (`unknown_tool`) that lists the names there are."""
    for tool in TOOLS:
        if tool.name == name:
            return tool
    message = f"There is no tool {name!r}. Valid tools: {', '.join(tool.name for tool in TOOLS)}."
    raise UsageError("unknown_tool", message)
