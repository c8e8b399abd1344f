"""Waiting by events: a navigation that an action started, then a document that has become quiet. Never a fixed sleep."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio

from freehold.browser.dialogs import Dialog, dialog_of
from freehold.browser.tab import TOP_FRAME, Tab
from freehold.errors import FreeholdError

QUIET_MS = 50
"""A document that has not changed for this long is quiet: about three frames of a 60 Hz screen."""

SETTLE_SECONDS = 2.0
"""How long an action waits for a quiet document, seconds; pages with a running animation never become quiet."""

LOAD_SECONDS = 10.0
"""How long an action waits for the document of a navigation to be parsed, seconds."""

_STARTED = ("Page.frameStartedNavigating", "Page.frameStartedLoading", "Page.frameRequestedNavigation")
_COMMITTED = ("Page.frameNavigated", "Page.navigatedWithinDocument")
_ENDED = ("Page.frameStoppedLoading",)


@dataclass
class Happenings:
    """What has happened to a tab since the watch began."""

    loading: set[str] = field(default_factory=set[str])
    committed: bool = False
    dialog: Dialog | None = None
    tabs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    downloads: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    file_chooser: dict[str, Any] | None = None
    gone: str = ""


class Watch:
    """Follows the events of one tab during an action."""

    def __init__(self, tab: Tab) -> None:
        self.seen = Happenings()
        self._tab = tab
        self._changed = anyio.Event()

    def take(self, name: str, params: dict[str, Any]) -> None:
        """Note one event of the extension."""
        if name == "tab.created" and params.get("opener") == self._tab.tab_id:
            self.seen.tabs.append(params)
        elif name == "download.changed":
            self.seen.downloads[params["id"]] = params
        elif params.get("tabId") == self._tab.tab_id:
            self._take_of_tab(name, params)
        self._changed.set()
        self._changed = anyio.Event()

    def _take_of_tab(self, name: str, params: dict[str, Any]) -> None:
        match name:
            case "dialog.opened":
                self.seen.dialog = Dialog.from_wire(params)
            case "dialog.closed":
                self.seen.dialog = None
            case "tab.removed":
                self.seen.gone = "tab_closed"
            case "debugger.event":
                self._take_of_page(params["method"], params.get("params") or {})
            case _:
                pass

    def _take_of_page(self, method: str, params: dict[str, Any]) -> None:
        frame = str(params.get("frameId") or params.get("frame", {}).get("id") or "")
        if method in _STARTED:
            self.seen.loading.add(frame)
        elif method in _ENDED:
            self.seen.loading.discard(frame)
        elif method in _COMMITTED:
            self.seen.committed = True
            if method == "Page.navigatedWithinDocument":
                self.seen.loading.discard(frame)
        elif method == "Page.fileChooserOpened":
            self.seen.file_chooser = params
        elif method == "Inspector.targetCrashed":
            self.seen.gone = "tab_crashed"

    async def until(self, condition: Any, seconds: float) -> bool:
        """Wait until `condition(happenings)` holds; False when `seconds` have passed before."""
        with anyio.move_on_after(seconds):
            while not condition(self.seen):
                await self._changed.wait()
            return True
        return False

    async def settle(self, *, frame_id: int = TOP_FRAME) -> bool:
        """Wait for navigations that have started, then for a quiet document; False when it had not become quiet in time."""
        await self._quiet(frame_id)
        for _ in range(3):
            if not self.seen.loading or self._stopped(self.seen):
                return not self.seen.loading
            in_time = await self.until(lambda seen: seen.committed or not seen.loading or self._stopped(seen), LOAD_SECONDS)
            if not in_time:
                return False
            self.seen.committed = False
            if await self._quiet(TOP_FRAME, LOAD_SECONDS):
                return True
        return False

    def _stopped(self, seen: Happenings) -> bool:
        return bool(seen.dialog or seen.gone)

    async def _quiet(self, frame_id: int, seconds: float = SETTLE_SECONDS) -> bool:
        if self._stopped(self.seen):
            return True
        limits = {"quiet_ms": QUIET_MS, "limit_ms": round(seconds * 1000)}
        try:
            answer = await self._tab.ask("settle", limits, frame_id=frame_id, timeout=seconds + 2)
        except FreeholdError as error:
            if dialog := dialog_of(error):
                self.seen.dialog = dialog
            elif error.code not in {"page_navigated", "tab_closed", "address_not_allowed", "timeout", "outside_fence", "unknown_tab"}:
                raise
            return False
        return bool(answer and answer.get("quiet"))


@asynccontextmanager
async def watching(tab: Tab) -> AsyncIterator[Watch]:
    """Follow the tab's events from now until the block ends."""
    client = await tab.channel.client()
    watch = Watch(tab)
    with client.subscribe() as events:
        async with anyio.create_task_group() as tasks:

            async def follow() -> None:
                async for name, params in events:
                    watch.take(name, params)

            tasks.start_soon(follow)
            try:
                yield watch
            finally:
                tasks.cancel_scope.cancel()
