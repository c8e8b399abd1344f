"""Every tool there is, in the order in which surfaces show them."""

from __future__ import annotations

from collections.abc import Iterable

from freehold.errors import UsageError
from freehold.tools.archive import nmem_list_threads, nmem_read_thread, nmem_save_memory, nmem_search
from freehold.tools.browser import (
    computer,
    find,
    form_input,
    get_page_text,
    handle_dialog,
    javascript_tool,
    navigate,
    read_page,
    tabs_close,
    tabs_context,
    tabs_create,
)
from freehold.tools.memory import pmem_list, pmem_read, pmem_save, pmem_search
from freehold.tools.tool import Tool

GROUPS = ("browser", "memory", "archive")

TOOLS: tuple[Tool, ...] = (
    tabs_context.TOOL,
    tabs_create.TOOL,
    tabs_close.TOOL,
    navigate.TOOL,
    read_page.TOOL,
    find.TOOL,
    computer.TOOL,
    form_input.TOOL,
    get_page_text.TOOL,
    javascript_tool.TOOL,
    handle_dialog.TOOL,
    pmem_list.TOOL,
    pmem_read.TOOL,
    pmem_search.TOOL,
    pmem_save.TOOL,
    nmem_search.TOOL,
    nmem_read_thread.TOOL,
    nmem_list_threads.TOOL,
    nmem_save_memory.TOOL,
)


def of_groups(groups: Iterable[str]) -> tuple[Tool, ...]:
    """Return the tools of `groups`; raise `UsageError` for a group that does not exist, and for none at all."""
    chosen = set(groups)
    unknown = sorted(chosen.difference(GROUPS))
    if unknown or not chosen:
        fault = f"There is no tool group {unknown[0]!r}." if unknown else "No tool group is named."
        raise UsageError("invalid_argument", f"{fault} Valid groups: {', '.join(GROUPS)}.")
    return tuple(tool for tool in TOOLS if tool.group in chosen)


def named(name: str) -> Tool:
    """Return the tool called `name`; raise `UsageError` (`unknown_tool`) that lists the names there are."""
    for tool in TOOLS:
        if tool.name == name:
            return tool
    message = f"There is no tool {name!r}. Valid tools: {', '.join(tool.name for tool in TOOLS)}."
    raise UsageError("unknown_tool", message)
