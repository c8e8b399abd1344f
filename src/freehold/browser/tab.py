"""A tab of a session: what it is, and the ways into it (debugger, page functions, snapshot)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from freehold.bridge.client import BridgeClient
from freehold.browser.dialogs import Dialog
from freehold.errors import FreeholdError

TOP_FRAME = 0
"""Chrome's id of a tab's top frame."""


class Channel(Protocol):
    """What a tab needs of its session."""

    async def client(self) -> BridgeClient:
        """Return the live connection."""
        ...

    async def call(self, method: str, params: Mapping[str, Any], *, timeout: float = 30.0) -> Any:
        """Call a method of the extension; `timeout` in seconds."""
        ...


@dataclass(frozen=True, slots=True)
class TabState:
    """What the browser says of a tab. `status` is `loading` or `complete`."""

    tab_id: int
    url: str
    title: str
    active: bool
    status: str
    dialog: Dialog | None

    @classmethod
    def from_wire(cls, tab: Mapping[str, Any]) -> TabState:
        """Read the protocol's Tab."""
        dialog = tab.get("dialog")
        return cls(
            tab_id=tab["tabId"],
            url=tab.get("url", ""),
            title=tab.get("title", ""),
            active=bool(tab.get("active")),
            status=tab.get("status", ""),
            dialog=Dialog.from_wire(dialog) if dialog else None,
        )

    def to_data(self) -> dict[str, Any]:
        """Return the facts for machines."""
        return {
            "tabId": self.tab_id,
            "url": self.url,
            "title": self.title,
            "active": self.active,
            "status": self.status,
        }


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """What a page function answered in the frames it ran in, and the next ref to be given out.

    `state` is the tab as it stood afterwards.
    """

    frames: list[FrameAnswer]
    next_ref: int
    state: TabState


@dataclass(frozen=True, slots=True)
class FrameAnswer:
    """What a page function answered in one frame."""

    frame_id: int
    parent_frame_id: int
    result: Any


class Tab:
    """One tab, by its id. It holds no state of its own: the browser does."""

    def __init__(self, channel: Channel, tab_id: int) -> None:
        self.channel = channel
        self.tab_id = tab_id

    async def state(self) -> TabState:
        """Return the tab as it now stands."""
        return TabState.from_wire(await self.channel.call("tabs.get", {"tabId": self.tab_id}))

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float = 30.0) -> Any:
        """Send one CDP command; the extension's allow-list decides."""
        request = {"tabId": self.tab_id, "method": method, "params": dict(params or {})}
        return await self.channel.call("debugger.send", request, timeout=timeout)

    async def batch(self, commands: Sequence[tuple[str, Mapping[str, Any]]], *, timeout: float = 30.0) -> list[Any]:
        """Send CDP commands in one round trip, none waiting for the answer of the one before."""
        listed = [{"method": method, "params": dict(params)} for method, params in commands]
        answer = await self.channel.call("debugger.batch", {"tabId": self.tab_id, "commands": listed}, timeout=timeout)
        return answer["results"]

    async def press(self, commands: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Send input in one round trip. Input may close its tab before the browser has answered it: no error."""
        try:
            await self.batch(commands)
        except FreeholdError as error:
            if error.code != "tab_closed":
                raise

    async def page(
        self, function: str, *arguments: Any, frame_id: int | None = None, timeout: float = 30.0
    ) -> PageAnswer:
        """Call a page function in one frame or in all."""
        request: dict[str, Any] = {"tabId": self.tab_id, "function": function, "args": list(arguments)}
        if frame_id is not None:
            request["frameId"] = frame_id
        answer = await self.channel.call("page.call", request, timeout=timeout)
        frames = [FrameAnswer(f["frameId"], f["parentFrameId"], f.get("result")) for f in answer["frames"]]
        return PageAnswer(frames, answer["next_ref"], TabState.from_wire(answer["tab"]))

    async def ask(self, function: str, *arguments: Any, frame_id: int = TOP_FRAME, timeout: float = 30.0) -> Any:
        """Call a page function in one frame and return its result."""
        answer = await self.page(function, *arguments, frame_id=frame_id, timeout=timeout)
        return answer.frames[0].result if answer.frames else None

    async def read(self, ref: int | None = None, *, timeout: float = 30.0) -> dict[str, Any]:
        """Return the frames of `page.read`; with `ref` only that element's part of the page."""
        request: dict[str, Any] = {"tabId": self.tab_id}
        if ref is not None:
            request["ref"] = ref
        return await self.channel.call("page.read", request, timeout=timeout)
