"""`freehold mcp --tools archive` with the SDK's own client: no browser and no server anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.mcp.test_memory_tools import served, text

pytestmark = pytest.mark.anyio


async def test_an_agent_keeps_and_finds_a_memory_and_the_next_finds_it_too(tmp_path: Path) -> None:
    async with served(tmp_path / "home", "--tools", "archive") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert sorted(tools) == ["nmem_list_threads", "nmem_read_thread", "nmem_save_memory", "nmem_search"]
        assert "nmem_search" in (client.instructions or "")
        saved = await client.call_tool("nmem_save_memory", {"title": "Ports", "content": "The server uses 8080."})
        assert not saved.is_error
        missing = await client.call_tool("nmem_read_thread", {"thread_id": "nothing"})
        assert text(missing).startswith("[not_found]")
    async with served(tmp_path / "home", "--tools", "archive") as client:
        assert "8080" in text(await client.call_tool("nmem_search", {"query": "server"}))
