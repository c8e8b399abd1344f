"""`freehold mcp --tools memory` with the SDK's own client: no browser anywhere."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import Implementation, ListRootsResult, Root
from pydantic import FileUrl

from tests.e2e.mcp.conftest import DEADLINE

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def served(home: Path, *arguments: str, **options: Any) -> AsyncGenerator[Client]:
    home.mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "HOME": str(home),
        "FREEHOLD_HOME": str(home / "fh"),
        "XDG_CACHE_HOME": str(home / "c"),
    }
    command = ["-m", "freehold", "mcp", "--tools", "memory", *arguments]
    server = StdioServerParameters(command=sys.executable, args=command, cwd=home, env=environment)
    info = Implementation(name="a client", version="1")
    with anyio.fail_after(DEADLINE):
        async with Client(stdio_client(server), client_info=info, **options) as client:
            yield client


def text(result: Any) -> str:
    return "".join(block.text for block in result.content)


async def test_an_agent_keeps_and_finds_a_fact_of_its_project(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    async with served(tmp_path / "home", "--project", str(project)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert sorted(tools) == ["pmem_list", "pmem_read", "pmem_save", "pmem_search"]
        assert tools["pmem_search"].annotations
        assert tools["pmem_search"].annotations.open_world_hint is False
        assert client.instructions
        assert "tabs_context" not in client.instructions
        saved = await client.call_tool("pmem_save", {"title": "Ports", "body": "The server listens on 8080."})
        assert not saved.is_error
        assert "8080" in text(await client.call_tool("pmem_search", {"query": "which port does the server have"}))
        refused = await client.call_tool("pmem_save", {"title": "Keys", "body": "AKIA" + "ABCDEFGHIJKLMNOP"})
        assert refused.is_error
        assert text(refused).startswith("[secret_found]")
    async with served(tmp_path / "home", "--project", str(tmp_path)) as client:
        assert "empty" in text(await client.call_tool("pmem_list", {}))


async def test_the_project_is_the_clients_root_where_none_is_named(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()

    async def roots(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(project.as_uri()))])

    home = tmp_path / "home"
    async with served(home, "--session", "mine", mode="legacy", list_roots_callback=roots) as client:
        await client.call_tool("pmem_save", {"title": "Ports", "body": "8080"})
    stores = list((home / ".pi" / "agent" / "project-memory").glob("shop__*"))
    assert len(stores) == 1
