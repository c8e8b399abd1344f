"""handle_dialog: answer an alert, confirm, prompt or beforeunload dialog."""

from __future__ import annotations

from typing import Any

from freehold.browser.action import perform
from freehold.browser.session import Session
from freehold.browser.waits import Watch
from freehold.errors import UsageError
from freehold.tools.browser.answer import of_outcome
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class HandleDialog(Arguments, frozen=True):
    """The answer; `text` is for a prompt."""

    accept: bool
    text: str | None = None
    tabId: int | None = None


async def run(session: Session, arguments: HandleDialog) -> ToolResult:
    """Answer the open dialog and wait for what the page does then."""
    tab = await session.tab(arguments.tabId)
    dialog = (await tab.state()).dialog
    if dialog is None:
        raise UsageError("no_dialog", f"No dialog is open in tab {tab.tab_id}. Call read_page to see the page.")
    request: dict[str, Any] = {"accept": arguments.accept}
    if arguments.text is not None:
        request["promptText"] = arguments.text

    async def act(_: Watch) -> None:
        await tab.send("Page.handleJavaScriptDialog", request)

    outcome = await perform(tab, act)
    done = "Accepted" if arguments.accept else "Dismissed"
    return of_outcome(f"{done} the {dialog.kind} dialog.", outcome)


TOOL = Tool(
    name="handle_dialog",
    description="Answer an open alert, confirm, prompt (text) or beforeunload dialog.",
    arguments=HandleDialog,
    handler=run,
    destructive=True,
)
