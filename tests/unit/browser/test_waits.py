from __future__ import annotations

from typing import Any

import pytest

from freehold.bridge.events import EventStream
from freehold.browser.tab import TOP_FRAME, Tab
from freehold.browser.waits import Watch

pytestmark = pytest.mark.anyio


class Page:
    """A tab's channel: its documents never become quiet, and `events` come one at each look."""

    def __init__(self, events: list[tuple[str, dict[str, Any]]], *, quiet: bool = False) -> None:
        self.stream = EventStream()
        self.asked: list[int] = []
        self._events = events
        self._quiet = quiet

    async def client(self) -> Any:
        raise NotImplementedError

    async def call(self, method: str, params: Any, *, timeout: float = 30.0) -> Any:
        self.asked.append(params["args"][0]["limit_ms"])
        for method_name, told in self._events:
            self.stream.put("debugger.event", {"tabId": 1, "method": method_name, "params": told})
        frame = {
            "frameId": params["frameId"],
            "parentFrameId": -1,
            "result": {"quiet": self._quiet, "url": "u", "title": "t", "focus": None},
        }
        return {"frames": [frame], "next_ref": 1, "tab": {"tabId": 1}}


def started(frame: str) -> tuple[str, dict[str, Any]]:
    return "Page.frameStartedNavigating", {"frameId": frame}


def navigated(frame: str, parent: str = "") -> tuple[str, dict[str, Any]]:
    return "Page.frameNavigated", {"frame": {"id": frame, **({"parentId": parent} if parent else {})}}


async def test_frames_that_come_and_go_for_ever_are_not_taken_for_the_page_moving_on() -> None:
    page = Page([started("ad"), navigated("ad", "top")])
    assert not await Watch(Tab(page, 1), page.stream).settle(frame_id=TOP_FRAME)
    assert max(page.asked) == page.asked[0] == 2_000


async def test_a_page_that_moves_on_is_waited_for_in_its_new_document() -> None:
    page = Page([started("top"), navigated("top")])
    await Watch(Tab(page, 1), page.stream).settle(frame_id=TOP_FRAME)
    assert page.asked[1] == 5_000


async def test_frames_of_a_document_that_was_left_are_waited_for_no_more() -> None:
    page = Page([started("ad"), navigated("top")], quiet=True)
    watch = Watch(Tab(page, 1), page.stream)
    for method, params in (started("ad"), started("top"), navigated("top")):
        page.stream.put("debugger.event", {"tabId": 1, "method": method, "params": params})
    assert watch.seen.pending == set()
    assert watch.seen.committed
