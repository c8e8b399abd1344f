"""The line in Pi's footer: whether the browser is connected, whether the memory is at work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from freehold.tools.result import ToolResult

_GONE = frozenset({"browser_not_connected", "setup_missing", "connection_lost", "product_mismatch", "pairing_mismatch"})
_WORDS = {None: "", True: "browser connected", False: "no browser"}


class Status:
    """Sends the line when it changes."""

    def __init__(self, send: Callable[[Mapping[str, Any]], None]) -> None:
        self.connected: bool | None = None
        self._send = send
        self._paused = False
        self._memory = ""
        self._shown = ""

    def called(self, result: ToolResult) -> None:
        """Take what a browser tool answered for a sign of whether there is a browser."""
        code = result.data.get("error", {}).get("code") if result.is_error else None
        self.connected = code not in _GONE
        self._show()

    def paused(self, paused: bool) -> None:
        """Show that the user has paused the browser, or not."""
        self._paused = paused
        self._show()

    def memory(self, doing: str) -> None:
        """Show what the memory is doing, such as "memory busy"; nothing where that is empty."""
        self._memory = doing
        self._show()

    def _show(self) -> None:
        browser = "browser paused" if self._paused else _WORDS[self.connected]
        said = " · ".join(part for part in (browser, self._memory) if part)
        if said != self._shown:
            self._shown = said
            self._send({"type": "ui_request", "kind": "status", "text": f"freehold: {said}" if said else ""})
