"""Words that every browser tool's answer is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from freehold.browser.action import Outcome
from freehold.browser.marks import ADDRESS, short
from freehold.browser.tab import TabState
from freehold.tools.result import Image, ToolResult


def of_outcome(said: str, outcome: Outcome, *, images: tuple[Image, ...] = ()) -> ToolResult:
    """Say what was done, then what it changed, a line each."""
    return ToolResult("\n".join([said, *outcome.lines()]), images, outcome.to_data())


def of_tab(tab: TabState) -> str:
    """Describe a tab in one line."""
    marks = "".join([" (active)" if tab.active else "", " (loading)" if tab.status == "loading" else ""])
    return f"{tab.tab_id}{marks}: {short(tab.title) or 'untitled'} | {short(tab.url, ADDRESS)}"


def left_out(answer: Mapping[str, Any]) -> str:
    """Return the line, if any, that says how many frames a reading of the page had to do without."""
    silent = answer.get("silent", 0)
    if not silent:
        return ""
    return f"\n{silent} frame{' does' if silent == 1 else 's do'} not answer: what stands in there is not shown."
