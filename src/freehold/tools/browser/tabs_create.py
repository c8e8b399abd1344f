"""tabs_create: a new tab in the session's group."""

from __future__ import annotations

from freehold.browser.session import Session
from freehold.tools.browser.answer import of_tab
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class TabsCreate(Arguments, frozen=True):
    """No arguments."""


async def run(session: Session, arguments: TabsCreate) -> ToolResult:
    """Open an empty tab."""
    del arguments
    tab = await session.create_tab()
    state = await tab.state()
    return ToolResult(f"New tab {of_tab(state)}", data={"tab": state.to_data()})


TOOL = Tool(
    name="tabs_create",
    description="Open an empty tab in this session's group.",
    arguments=TabsCreate,
    handler=run,
)
