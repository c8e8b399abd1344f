"""navigate: open an address, go back or forward, load again."""

from __future__ import annotations

from freehold.browser import navigation
from freehold.browser.action import perform
from freehold.browser.marks import ADDRESS, short
from freehold.browser.session import Session
from freehold.browser.tab import Tab
from freehold.browser.waits import Watch
from freehold.errors import FreeholdError
from freehold.tools.browser.answer import of_outcome
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class Navigate(Arguments, frozen=True):
    """Where to, and in which tab."""

    url: str
    tabId: int | None = None


async def run(session: Session, arguments: Navigate) -> ToolResult:
    """Navigate the tab, making one where the session has none, and wait for its document."""
    tab = await _tab(session, arguments)

    async def act(watch: Watch) -> None:
        match arguments.url.strip():
            case "back" | "forward" as way:
                await navigation.go(tab, watch, navigation.HISTORY[way])
            case "reload":
                await navigation.reload(tab, watch)
            case url:
                await navigation.open_address(tab, watch, navigation.address(url))

    async with session.acting(tab):
        outcome = await perform(tab, act)
    after = outcome.after or outcome.before
    where = "has not moved on." if outcome.dialog else f"is at {short(after.url, ADDRESS)}"
    return of_outcome(f"Tab {tab.tab_id} {where}", outcome)


async def _tab(session: Session, arguments: Navigate) -> Tab:
    try:
        return await session.tab(arguments.tabId)
    except FreeholdError as error:
        if error.code != "no_tab" or arguments.url in {"back", "forward", "reload"}:
            raise
        return await session.create_tab()


TOOL = Tool(
    name="navigate",
    description="Open a url in a tab, or go back, forward or reload (as the url). Waits for the page.",
    arguments=Navigate,
    handler=run,
)
