"""tabs_close: close a tab of the session."""

from __future__ import annotations

from freehold.browser.session import Session
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class TabsClose(Arguments, frozen=True):
    """Which tab."""

    tabId: int


async def run(session: Session, arguments: TabsClose) -> ToolResult:
    """Close the tab and say which are left."""
    await session.close_tab(arguments.tabId)
    left = [tab.tab_id for tab in await session.tabs()]
    listed = ", ".join(map(str, left)) or "none"
    return ToolResult(f"Closed tab {arguments.tabId}. Tabs left: {listed}.", data={"tabs": left})


TOOL = Tool(
    name="tabs_close",
    description="Close a tab of this session.",
    arguments=TabsClose,
    handler=run,
    destructive=True,
)
