"""Words that every browser tool's answer is made of."""

from __future__ import annotations

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
