"""tabs_context: which browser, which session, which tabs."""

from __future__ import annotations

from freehold import __version__
from freehold.browser.session import Session
from freehold.tools.browser.answer import of_tab
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class TabsContext(Arguments, frozen=True):
    """Whether to make the first tab."""

    createIfEmpty: bool = False


async def run(session: Session, arguments: TabsContext) -> ToolResult:
    """List the session's tabs; make the first one where asked."""
    tabs = await session.tabs()
    if not tabs and arguments.createIfEmpty:
        tab = await session.create_tab()
        tabs = [await tab.state()]
    browser = session.browser.get("browser", "browser")
    lines = [f"{browser}, session {session.granted}, {len(tabs)} tab{'' if len(tabs) == 1 else 's'}"]
    lines += [of_tab(tab) for tab in tabs]
    lines += [f"Tab {tab.tab_id}: {tab.dialog.describe()}" for tab in tabs if tab.dialog]
    if not tabs:
        lines.append(
            "Open one with tabs_create, or navigate with a url. The user can hand over a tab in Freehold's popup."
        )
    lines += _other_version(session)
    data = {"browser": browser, "session": session.granted, "tabs": [tab.to_data() for tab in tabs]}
    return ToolResult("\n".join(lines), data=data)


def _other_version(session: Session) -> list[str]:
    version = session.browser.get("version", __version__)
    if version == __version__:
        return []
    return [f"The extension is {version}, Freehold is {__version__}: run freehold setup and reload the extension."]


TOOL = Tool(
    name="tabs_context",
    description="List this session's tabs. Call first. Only tabs in the session's own group can be used.",
    arguments=TabsContext,
    handler=run,
    read_only=True,
)
