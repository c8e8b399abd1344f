"""An action and what it changed: address, title, dialog, new tab, download, focus."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from freehold.browser.dialogs import Dialog, dialog_of
from freehold.browser.marks import ADDRESS, short
from freehold.browser.tab import TOP_FRAME, Tab, TabState
from freehold.browser.waits import LEFT, Happenings, Watch, watching
from freehold.errors import FreeholdError


@dataclass(frozen=True, slots=True)
class Outcome:
    """What stood before and after an action, and what happened in between.

    `settled` is False for a page still busy; `stopped` says that a dialog came before the action was through.
    """

    before: TabState
    after: TabState | None
    seen: Happenings
    focus: dict[str, Any] | None
    settled: bool
    stopped: bool = False

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that the action left open."""
        return self.seen.dialog

    def lines(self) -> list[str]:
        """Say what changed, a line each; nothing when nothing did."""
        return [line for line in (*self._place(), *self._opened(), self._state()) if line]

    def _place(self) -> list[str]:
        if self.seen.gone == "tab_closed" or self.after is None:
            return ["The tab has closed."]
        if self.seen.gone:
            return ["The tab's process has crashed. navigate reload brings it back."]
        address = f"Address: {short(self.after.url, ADDRESS)}" if self.after.url != self.before.url else ""
        title = f"Title: {short(self.after.title)}" if self.after.title != self.before.title else ""
        return [address, title]

    def _opened(self) -> list[str]:
        tabs = [f"New tab {tab['tabId']}: {short(tab.get('url', ''), ADDRESS)}" for tab in self.seen.tabs]
        files = [
            f"Download {each.get('state', '')}: {short(each.get('filename') or each.get('url', ''))}"
            for each in self.seen.downloads.values()
        ]
        return [*tabs, *files, self.dialog.describe() if self.dialog else ""]

    def _state(self) -> str:
        if self.dialog or self.after is None:
            return ""
        if self.seen.failed:
            return "The address could not be loaded: the tab shows the browser's error page."
        if not self.settled:
            return "The page is still busy; read_page shows it as it is now."
        if self.focus:
            ref = f"[ref_{self.focus['ref']}] " if self.focus.get("ref") else ""
            return f"Focus: {ref}{self.focus.get('role', '')} {short(self.focus.get('name', ''))}".rstrip()
        return ""

    def to_data(self) -> dict[str, Any]:
        """Return the facts for machines."""
        return {
            "tab": self.after.to_data() if self.after else None,
            "dialog": self.dialog.to_data() if self.dialog else None,
            "new_tabs": self.seen.tabs,
            "downloads": list(self.seen.downloads.values()),
            "focus": self.focus,
            "settled": self.settled,
        }


async def perform(
    tab: Tab, act: Callable[[Watch], Awaitable[Any]], *, frame_id: int = TOP_FRAME, before: TabState | None = None
) -> Outcome:
    """Run `act` on the tab, wait until the page has settled and say what changed.

    `before` is the tab as it stands, where that is known. A dialog that opens ends the wait at once; it is part of the
    outcome, not an error.
    """
    before = before or await tab.state()
    async with watching(tab) as watch:
        stopped = False
        try:
            await act(watch)
        except FreeholdError as error:
            dialog = dialog_of(error)
            # A dialog that stood open before the action is what stopped it: then nothing was done.
            if dialog is None or before.dialog is not None:
                raise
            watch.seen.dialog, stopped = dialog, True
        settled = await watch.settle(frame_id=frame_id)
        after = await _after(tab, watch)
        if after and after.dialog:
            watch.seen.dialog = after.dialog
        focus = await _focus(tab, watch)
        return Outcome(before, after, watch.seen, focus, settled, stopped)


async def _after(tab: Tab, watch: Watch) -> TabState | None:
    seen = watch.seen
    if seen.settled and not seen.stopped:
        return seen.settled.state
    try:
        state = await tab.state()
        if seen.settled is None:
            return state
        return replace(state, url=seen.settled.state.url, title=seen.settled.state.title or state.title)
    except FreeholdError as error:
        if error.code in {"unknown_tab", "tab_closed", "outside_fence"}:
            return None
        raise


async def _focus(tab: Tab, watch: Watch) -> dict[str, Any] | None:
    if watch.seen.dialog or watch.seen.gone:
        return None
    if watch.seen.settled:
        return watch.seen.settled.focus
    try:
        return await tab.ask("activeElement")
    except FreeholdError as error:
        if error.code in LEFT or error.code == "dialog_open":
            return None
        raise
