"""The archive's tools over MCP, called by the official client over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client

from tests.contract.server.served import served

pytestmark = pytest.mark.anyio


async def call(client: Any, name: str, **arguments: Any) -> Any:
    result = await client.call_tool(name, arguments)
    return result.is_error, json.loads(result.content[0].text)


async def test_an_agent_keeps_and_finds_memories_and_reads_threads(tmp_path: Path) -> None:
    with served(tmp_path / "archive.db", tmp_path / "home") as server:
        message = {"role": "user", "content": "Where is the cache? 缓存"}
        with httpx2.Client(base_url=server.address) as http:
            http.post("/threads", json={"thread_id": "t", "messages": [message]}).raise_for_status()
        async with Client(f"{server.address}/mcp") as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names >= {"memory_search", "memory_add", "memory_update", "memory_delete", "thread_search"}
            _, kept = await call(client, "memory_add", content="Cache is Redis", id="m")
            assert kept["action"] == "created"
            assert (await call(client, "memory_update", id="m", labels=["x"]))[1]["labels"] == ["x"]
            _, found = await call(client, "memory_search", query="redis")
            assert found[0]["memory"]["id"] == "m"
            _, threads = await call(client, "thread_search", query="缓存")
            assert threads["threads"][0]["thread_id"] == "t"
            _, read = await call(client, "thread_fetch_messages", thread_id="t")
            assert read["messages"][0]["content"] == message["content"]
            assert (await call(client, "read_context_bundle"))[0] is False
            assert (await call(client, "memory_delete", id="m"))[1]["success"] is True
            failed, answer = await call(client, "get_memory_by_id", id="m")
            assert (failed, answer["error_code"]) == (True, "memory_not_found")
            failed, answer = await call(client, "memory_search", query=1)
            assert (failed, answer["error_code"]) == (True, "bad_request")
