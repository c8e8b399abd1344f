"""Waiting by events: a navigation that an action started, then a document that has become quiet."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import anyio

from freehold.bridge.events import EventStream
from freehold.browser.dialogs import Dialog, dialog_of
from freehold.browser.tab import TOP_FRAME, Tab, TabState
from freehold.errors import FreeholdError

QUIET_MS = 50
"""A document that has not changed for this long is quiet: about three frames of a 60 Hz screen."""

SETTLE_SECONDS = 2.0
"""How long an action waits for a quiet document, seconds; pages with a running animation never become quiet."""

COMMIT_SECONDS = 10.0
"""How long an action waits for the server to answer a navigation that it started, seconds."""

PARSE_SECONDS = 5.0
"""How long an action waits for a new document to be parsed and quiet, seconds."""

LAG_SECONDS = 1.0
"""How long the extension may take to see a document that the debugger has told of, seconds."""

_NAVIGATIONS = 4
"""How many navigations in a row an action follows: a form, its redirect, a script's replacement of the address."""

_STARTED = ("Page.frameStartedNavigating", "Page.frameRequestedNavigation")
# A frame that goes to a process of its own (another site) is detached here, and its load ends in that process.
_ENDED = ("Page.frameStoppedLoading", "Page.frameDetached")
LEFT = {
    "page_navigated",
    "tab_closed",
    "tab_crashed",
    "unknown_tab",
    "outside_fence",
    "address_not_allowed",
    "timeout",
    "navigation_failed",
}
"""What a wait for a quiet document may end with: the document has gone, or is not ours to look into."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A tab whose document has settled; `focus` is None when nothing has it."""

    state: TabState
    focus: dict[str, Any] | None


@dataclass
class Happenings:
    """What has happened to a tab since the watch began; `pending` are frames that wait for a new document.

    XX
        has settled, with what the document itself says of address, title and focus, which the tab shows a moment later.
    """

    pending: set[str] = field(default_factory=set[str])
    documents: set[str] = field(default_factory=set[str])
    committed: bool = False
    moved: bool = False
    dialog: Dialog | None = None
    tabs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    opening: int = 0
    downloads: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    file_chooser: dict[str, Any] | None = None
    dragged: dict[str, Any] | None = None
    gone: str = ""
    failed: bool = False
    updates: int = 0
    settled: Settled | None = None

    @property
    def stopped(self) -> bool:
        """Whether there is nothing to wait for: a dialog holds the page, or the tab has gone."""
        return bool(self.dialog or self.gone)


class Watch:
    """Follows the events of one tab during an action."""

    def __init__(self, tab: Tab, events: EventStream) -> None:
        self._seen = Happenings()
        self._tab = tab
        self._events = events

    @property
    def seen(self) -> Happenings:
        """What has happened up to now."""
        for name, params in self._events.drain():
            self._take(name, params)
        return self._seen

    def _take(self, name: str, params: dict[str, Any]) -> None:
        if name == "tab.created" and params.get("opener") == self._tab.tab_id:
            self._seen.tabs.append(params)
        elif name == "download.changed":
            self._seen.downloads[params["id"]] = params
        elif params.get("tabId") == self._tab.tab_id:
            self._take_of_tab(name, params)

    def _take_of_tab(self, name: str, params: dict[str, Any]) -> None:
        match name:
            case "dialog.opened":
                self._seen.dialog = Dialog.from_wire(params)
            case "dialog.closed":
                self._seen.dialog = None
            case "tab.removed":
                self._seen.gone = "tab_closed"
            case "tab.updated":
                self._seen.updates += 1
            case "debugger.event":
                self._take_of_page(params["method"], params.get("params") or {})
            case _:
                pass

    def _take_of_page(self, method: str, params: dict[str, Any]) -> None:
        navigated = params.get("frame", {})
        frame = str(params.get("frameId") or navigated.get("id") or "")
        if method in _STARTED:
            self._seen.pending.add(frame)
        elif method in _ENDED:
            self._seen.pending.discard(frame)
        elif method == "Page.navigatedWithinDocument":
            self._seen.committed = self._seen.moved = True
            self._seen.pending.discard(frame)
        elif method == "Page.frameNavigated":
            self._seen.documents.add(str(navigated.get("loaderId")))
            self._take_document(frame, is_top=not navigated.get("parentId"))
        elif method == "Page.windowOpen":
            self._seen.opening += 1
        elif method == "Page.fileChooserOpened":
            self._seen.file_chooser = params
        elif method == "Input.dragIntercepted":
            self._seen.dragged = params["data"]
        elif method == "Inspector.targetCrashed":
            self._seen.gone = "tab_crashed"

    def _take_document(self, frame: str, *, is_top: bool) -> None:
        self._seen.moved = True
        self._seen.pending.discard(frame)
        if is_top:
            self._seen.committed = True
            # Frames that were on their way have gone with the document before: nothing more is heard of them.
            self._seen.pending.clear()

    async def until(self, condition: Callable[[Happenings], object], seconds: float) -> bool:
        """Wait until `condition` holds; False when `seconds` have passed, or the connection has gone, before."""
        with anyio.move_on_after(seconds):
            while not condition(self.seen):
                async for name, params in self._events:
                    self._take(name, params)
                    break
                else:
                    return False
            return True
        return False

    async def settle(self, *, frame_id: int = TOP_FRAME) -> bool:
        """Wait for navigations that have started, then for a quiet document; False when that took too long."""
        settled = await self._settle(frame_id)
        if self.seen.opening > len(self._seen.tabs):
            # The page's request is known at once, the tab only when the browser has made it, if it lets it.
            await self.until(lambda seen: len(seen.tabs) >= seen.opening or seen.stopped, LAG_SECONDS)
        return settled

    async def _settle(self, frame_id: int) -> bool:
        left = SETTLE_SECONDS
        for _ in range(_NAVIGATIONS):
            arrived = self._arrive()
            began = anyio.current_time()
            quiet = await self._quiet(arrived, TOP_FRAME if arrived else frame_id, PARSE_SECONDS if arrived else left)
            if not arrived:
                # Frames that come and go for ever, as advertisements do, hold it up no longer than other changes.
                left = max(0.0, left - (anyio.current_time() - began))
            if self._seen.stopped or not (self.seen.pending or self._seen.moved):
                return quiet
            if not await self.until(lambda seen: seen.moved or seen.stopped or not seen.pending, COMMIT_SECONDS):
                return False
        return False

    def _arrive(self) -> bool:
        """Say whether the tab has come to another document since the last call."""
        committed, self._seen.committed, self._seen.moved = self.seen.committed, False, False
        return committed

    async def _quiet(self, arrived: bool, frame_id: int, seconds: float) -> bool:
        if self.seen.stopped:
            return True
        quiet = await self._ask(arrived, frame_id, seconds)
        if self._seen.failed:
            # The extension learns of a new document a moment after the debugger, and sees the error page until then.
            known = self._seen.updates
            await self.until(lambda seen: seen.updates > known or seen.stopped, LAG_SECONDS)
            quiet = await self._ask(arrived, frame_id, seconds)
        return quiet

    async def _ask(self, arrived: bool, frame_id: int, seconds: float) -> bool:
        limits = {"quiet_ms": QUIET_MS, "limit_ms": round(seconds * 1000), "fresh": arrived}
        self._seen.failed, self._seen.settled = False, None
        try:
            answer = await self._tab.page("settle", limits, frame_id=frame_id, timeout=seconds + 2)
        except FreeholdError as error:
            if dialog := dialog_of(error):
                self._seen.dialog = dialog
            elif error.code not in LEFT:
                raise
            self._seen.failed = error.code == "navigation_failed"
            if error.code == "page_navigated":
                self._seen.committed = self._seen.moved = True
            return False
        told = answer.frames[0].result if answer.frames else None
        if told and frame_id == TOP_FRAME:
            state = replace(answer.state, url=told["url"], title=told["title"] or answer.state.title)
            self._seen.settled = Settled(state, told["focus"])
        return bool(told and told["quiet"])


@asynccontextmanager
async def watching(tab: Tab) -> AsyncGenerator[Watch]:
    """Follow the tab's events from now until the block ends."""
    client = await tab.channel.client()
    with client.subscribe() as events:
        yield Watch(tab, events)
