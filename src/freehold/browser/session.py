"""A session: one agent's tabs in one browser. Its state lives in the browser, so any process can take it up again."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio

from freehold import __version__
from freehold.bridge.client import BridgeClient
from freehold.browser.dialogs import blocked, dialog_of
from freehold.browser.fault import marked
from freehold.browser.tab import Tab, TabState
from freehold.errors import FreeholdError, UsageError

Connect = Callable[[], Awaitable[BridgeClient]]
"""Returns a client whose session is not open yet; raises `browser_not_connected` with what to do."""


class Session:
    """Calls the extension on behalf of one agent, and connects again after a loss.

    `name` is what was asked for; `granted` what the browser gave (`name-2` when a live agent holds `name`).
    """

    def __init__(self, connect: Connect, *, name: str, exclusive: bool = True, agent: str = "") -> None:
        self.name = name
        self.granted = ""
        self.browser: dict[str, Any] = {}
        self._connect = connect
        self._exclusive = exclusive
        self._agent = agent
        self._client: BridgeClient | None = None
        self._opening = anyio.Lock()
        self._locks: dict[int, anyio.Lock] = {}
        self._current: int | None = None
        self._known = False

    async def client(self) -> BridgeClient:
        """Return the live connection with this session open on it, making both where needed."""
        async with self._opening:
            if self._client is None or self._client.closed.is_set():
                client = await self._connect()
                opened = await client.call(
                    "session.open",
                    {
                        "name": self.granted or self.name,
                        "exclusive": self._exclusive,
                        "client": self._agent or f"freehold {__version__}",
                    },
                )
                self.granted, self.browser, self._client = opened["name"], client.extension, client
                # What was closed while nobody listened is not known.
                self._known = False
                client.listeners.append(self._hear)
            return self._client

    def _hear(self, name: str, params: Mapping[str, Any]) -> None:
        if name == "tab.removed" and params.get("tabId") == self._current:
            self._current = None

    async def call(self, method: str, params: Mapping[str, Any], *, timeout: float = 30.0) -> Any:
        """Call a method of the extension; `timeout` in seconds."""
        client = await self.client()
        try:
            return await client.call(method, params, timeout=timeout)
        except FreeholdError as error:
            if dialog := dialog_of(error):
                raise blocked(dialog) from error
            raise marked(error) from error

    async def tabs(self) -> list[TabState]:
        """Return the session's tabs."""
        listed = await self.call("tabs.list", {})
        return [TabState.from_wire(tab) for tab in listed["tabs"]]

    async def create_tab(self, url: str | None = None) -> Tab:
        """Open a tab in the session's group, without bringing it to the front."""
        created = await self.call("tabs.create", {"url": url} if url else {})
        return self._use(created["tabId"])

    async def close_tab(self, tab_id: int) -> None:
        """Close a tab of the session."""
        await self.call("tabs.close", {"tabId": tab_id})
        if self._current == tab_id:
            self._current = None

    async def tab(self, tab_id: int | None = None) -> Tab:
        """Return the tab `tab_id`, or the one in use: the last one called, else the active one, else the newest."""
        if tab_id is not None:
            return self._use(tab_id)
        await self.client()
        if self._current is not None and self._known:
            return self._use(self._current)
        tabs = await self.tabs()
        self._known = True
        if not tabs:
            message = "This session has no tab yet. Call tabs_create, or navigate with a url."
            raise UsageError("no_tab", message)
        ids = [tab.tab_id for tab in tabs]
        if self._current in ids:
            return self._use(self._current)
        active = next((tab.tab_id for tab in tabs if tab.active), ids[-1])
        return self._use(active)

    @asynccontextmanager
    async def acting(self, tab: Tab) -> AsyncGenerator[None]:
        """Hold the tab for one action: two actions at once would mix their key strokes and clicks."""
        async with self._locks.setdefault(tab.tab_id, anyio.Lock()):
            yield

    def _use(self, tab_id: int) -> Tab:
        self._current = tab_id
        return Tab(self, tab_id)
