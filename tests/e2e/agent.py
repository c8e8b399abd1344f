"""An agent as the tests play it: calls tools as a surface would, and says what it expects of the answer."""

from __future__ import annotations

import re
from typing import Any

from freehold.app.runtime import Runtime
from freehold.tools.result import ToolResult


class Agent:
    """Calls tools through a runtime."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    async def call(self, name: str, **arguments: Any) -> ToolResult:
        """Call a tool that must succeed."""
        result = await self.runtime.call(name, arguments)
        assert not result.is_error, result.text
        return result

    async def fails(self, name: str, **arguments: Any) -> str:
        """Call a tool that must fail; return the error's code."""
        result = await self.runtime.call(name, arguments)
        assert result.is_error, result.text
        return result.data["error"]["code"]

    async def open(self, url: str) -> int:
        """Open `url` in a new tab and return the tab's id."""
        created = await self.call("tabs_create")
        tab: int = created.data["tab"]["tabId"]
        await self.call("navigate", url=url, tabId=tab)
        return tab

    async def outline(self, **arguments: Any) -> str:
        """Read the page and return its outline."""
        return (await self.call("read_page", **arguments)).text

    async def ref(self, line: str, **arguments: Any) -> str:
        """Return the ref of the outline's only line with the role and name of `line`, whatever its states."""
        role, _, name = line.partition(" ")
        text = await self.outline(**arguments)
        end = r"(?= = | \| | \[ref_|$)"
        found = re.findall(rf"\[(ref_\d+)\] {role}(?:\([^)]*\))? {re.escape(name)}{end}", text, re.MULTILINE)
        assert len(found) == 1, f"{line!r} stands {len(found)} times in\n{text}"
        return found[0]

    async def click(self, ref: str, **arguments: Any) -> ToolResult:
        """Click an element."""
        return await self.call("computer", action="left_click", ref=ref, **arguments)

    async def value(self, script: str, **arguments: Any) -> Any:
        """Return what `script` evaluates to in the page."""
        return (await self.call("javascript_tool", text=script, **arguments)).data["value"]
