"""The official SDK's client, over a real pipe, in both eras of the protocol."""

from __future__ import annotations

import base64
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import ImageContent, Implementation, ListRootsResult, Root, TextContent
from pydantic import FileUrl

from tests.e2e.mcp.conftest import DEADLINE, FAKE, Events

pytestmark = pytest.mark.anyio

ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


@asynccontextmanager
async def connected(
    events: Events,
    era: str,
    *arguments: str,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    **options: Any,
) -> AsyncGenerator[Client]:
    command, *first = FAKE
    server = StdioServerParameters(
        command=command, args=[*first, *arguments], cwd=cwd, env={**os.environ, **(env or {})}
    )
    info = Implementation(name="a client", version="1")
    with events.file.open("a") as log, anyio.fail_after(DEADLINE):
        async with Client(stdio_client(server, errlog=log), mode=era, client_info=info, **options) as client:
            yield client


def text(result: Any) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


@ERAS
async def test_the_tools_are_listed_with_schema_and_hints(events: Events, era: str) -> None:
    async with connected(events, era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    echo = tools["echo"]
    assert echo.description == "Says it again."
    assert echo.input_schema["properties"]["times"]["default"] == 1
    assert echo.input_schema["required"] == ["text"]
    assert echo.annotations
    assert echo.annotations.read_only_hint is True
    assert echo.annotations.open_world_hint is True
    assert tools["hang"].annotations
    assert tools["hang"].annotations.read_only_hint is False
    assert tools["hang"].annotations.destructive_hint is True
    assert "opened" not in events.text()


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_the_instructions_say_how_to_work_with_refs(events: Events, era: str) -> None:
    async with connected(events, era) as client:
        assert client.instructions
        for word in ("read_page", "ref_12", "handle_dialog", "freehold doctor"):
            assert word in client.instructions


@ERAS
async def test_text_in_any_script_and_pictures_arrive_whole(events: Events, era: str) -> None:
    said = "سلام\u200cخوبی 👩\u200d👩\u200d👧 \u2028 \x85 \n ok"
    async with connected(events, era) as client:
        result = await client.call_tool("echo", {"text": said})
        words, image = (await client.call_tool("picture")).content
    assert text(result) == said
    assert not result.is_error
    assert isinstance(words, TextContent)
    assert isinstance(image, ImageContent)
    assert image.mime_type == "image/png"
    assert base64.b64decode(image.data).startswith(b"\x89PNG")


@ERAS
async def test_a_cancelled_call_stops_and_the_next_one_works(events: Events, era: str) -> None:
    async with connected(events, era) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "hang")
        await events.wait_for("hanging")
        tasks.cancel_scope.cancel()
        with anyio.CancelScope(shield=True):
            await events.wait_for("hang cancelled")
            assert text(await client.call_tool("echo", {"text": "still here"})) == "still here"


@ERAS
async def test_calls_run_beside_each_other_and_the_runtime_closes_with_the_client(events: Events, era: str) -> None:
    async with connected(events, era) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "hang")
        await events.wait_for("hanging")
        assert text(await client.call_tool("echo", {"text": "beside"})) == "beside"
        tasks.cancel_scope.cancel()
    await events.wait_for("closed")


BAD_CALLS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("no_such_tool", {}, "[unknown_tool]", "echo, measure"),
    ("echo", {"text": "x", "volume": 3}, "[invalid_argument]", "Valid arguments: text, times"),
    ("echo", {"text": 7}, "[invalid_argument]", "Valid arguments: text, times"),
    ("echo", {"text": "x", "times": 9}, "[invalid_argument]", "Valid arguments: text, times"),
    ("echo", {}, "[invalid_argument]", "Valid arguments: text, times"),
    ("crash", {}, "[internal_error]", "a fault of ours"),
)


@ERAS
async def test_a_bad_call_is_answered_for_the_agent_to_read(events: Events, era: str) -> None:
    async with connected(events, era) as client:
        for name, arguments, code, valid in BAD_CALLS:
            result = await client.call_tool(name, arguments)
            assert result.is_error
            assert text(result).startswith(code)
            assert valid in text(result)
            assert "Traceback" not in text(result)
        assert not (await client.call_tool("echo", {"text": "next"})).is_error


@ERAS
async def test_without_a_browser_the_call_says_so_and_the_server_stays(events: Events, era: str) -> None:
    async with connected(events, era, "", "without browser") as client:
        for _ in range(2):
            result = await client.call_tool("echo", {"text": "x"})
            assert result.is_error
            assert text(result).startswith("[browser_not_connected]")
        assert len((await client.list_tools()).tools) > 1


@ERAS
async def test_the_session_is_named_after_client_and_working_folder(events: Events, era: str, tmp_path: Path) -> None:
    folder = tmp_path / "my shop"
    folder.mkdir()
    async with connected(events, era, cwd=folder) as client:
        await client.call_tool("echo", {"text": "x"})
        await events.wait_for("opened a client-my shop")


async def test_the_session_is_named_after_the_project_that_was_given(events: Events) -> None:
    async with connected(events, "legacy", "/srv/shop") as client:
        await client.call_tool("echo", {"text": "x"})
        await events.wait_for("opened a client-shop")


async def test_the_session_is_named_after_the_roots_of_a_client_that_has_them(events: Events) -> None:
    async def roots(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl("file:///srv/a/web%20shop"))])

    async with connected(events, "legacy", list_roots_callback=roots) as client:
        await client.call_tool("echo", {"text": "x"})
        await events.wait_for("opened a client-web shop")


async def test_a_session_name_of_the_environment_wins_over_the_derived_one(events: Events) -> None:
    async with connected(events, "legacy", "/srv/shop", env={"FREEHOLD_SESSION": "from env"}) as client:
        await client.call_tool("echo", {"text": "x"})
        await events.wait_for("opened from env")


async def test_a_given_session_name_wins_over_the_environment(events: Events) -> None:
    async with connected(events, "legacy", "/srv/shop", "given", env={"FREEHOLD_SESSION": "from env"}) as client:
        await client.call_tool("echo", {"text": "x"})
        await events.wait_for("opened given")
