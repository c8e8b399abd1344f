"""javascript_tool: a script in the page's own world."""

from __future__ import annotations

import json
from typing import Any

from freehold.browser.action import perform
from freehold.browser.marks import block, boundary, short, shown_text
from freehold.browser.session import Session
from freehold.browser.waits import Watch
from freehold.errors import UsageError
from freehold.tools.browser.answer import of_outcome
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool

_SECONDS = 30.0

_LIMIT = 40_000
"""How many characters of a value are shown, as many as of a page's text."""


class JavascriptTool(Arguments, frozen=True):
    """The script."""

    text: str
    tabId: int | None = None


async def run(session: Session, arguments: JavascriptTool) -> ToolResult:
    """Evaluate the script and return the value of its last expression, awaited."""
    tab = await session.tab(arguments.tabId)
    answer: dict[str, Any] = {}

    async def act(_: Watch) -> None:
        # replMode lets a script await at the top level and declare the same name twice, as in the browser's console.
        request = {"expression": arguments.text, "awaitPromise": True, "replMode": True, "userGesture": True}
        answer.update(await tab.send("Runtime.evaluate", {**request, "returnByValue": True}, timeout=_SECONDS))

    async with session.acting(tab):
        outcome = await perform(tab, act)
    if thrown := answer.get("exceptionDetails"):
        raise _thrown(thrown)
    if not answer:
        return of_outcome("The script has not ended.", outcome)
    value = answer["result"]
    said = of_outcome(boundary("value", shown_text(block(_written(value)), _LIMIT)), outcome)
    return ToolResult(said.text, data={**said.data, "value": value.get("value")})


def _written(value: dict[str, Any]) -> str:
    if "value" in value:
        return value["value"] if isinstance(value["value"], str) else json.dumps(value["value"], ensure_ascii=False)
    # undefined, functions, NaN, Infinity, -0 and big integers have no JSON; Chrome describes them.
    return str(value.get("unserializableValue") or value.get("description") or value.get("type", ""))


def _thrown(details: dict[str, Any]) -> UsageError:
    exception = details.get("exception", {})
    what = exception.get("description") or str(exception.get("value", "")) or details.get("text", "")
    line = details.get("lineNumber", 0) + 1
    message = f"The script threw at line {line}: {short(what, 2_000)}. To return a value, make it the last expression."
    return UsageError("script_error", message, {"line": line})


TOOL = Tool(
    name="javascript_tool",
    description="Run JavaScript in the page; returns its last expression, awaited. No return statement.",
    arguments=JavascriptTool,
    handler=run,
    destructive=True,
)
