from __future__ import annotations

import anyio
import pytest

from freehold.bridge.events import LIMIT, EventStream

pytestmark = pytest.mark.anyio


def load(number: int) -> tuple[str, dict[str, object]]:
    return "debugger.event", {"tabId": number, "method": "Page.loadEventFired"}


async def drain(stream: EventStream) -> list[int]:
    stream.end()
    return [params["tabId"] async for _, params in stream]


async def test_a_reader_that_waits_is_woken() -> None:
    stream, got = EventStream(), list[str]()

    async def read() -> None:
        async for name, _ in stream:
            got.append(name)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(read)
            await anyio.wait_all_tasks_blocked()
            stream.put("tab.removed", {})
            await anyio.wait_all_tasks_blocked()
            stream.put("tab.created", {})
            stream.end()
    assert got == ["tab.removed", "tab.created"]


async def test_of_too_many_the_oldest_progress_of_a_load_goes_first() -> None:
    stream = EventStream()
    assert stream.put("dialog.opened", {"tabId": -1})
    for number in range(LIMIT + 5):
        assert stream.put(*load(number))
    assert await drain(stream) == [-1, *range(6, LIMIT + 5)]


@pytest.mark.parametrize("method", ["Inspector.targetCrashed", "Page.fileChooserOpened", "Page.screencastFrame"])
async def test_what_happens_once_is_never_dropped(method: str) -> None:
    stream = EventStream()
    assert stream.put("debugger.event", {"tabId": -1, "method": method})
    for number in range(LIMIT - 1):
        assert stream.put("dialog.opened", {"tabId": number})
    assert not stream.put("dialog.opened", {"tabId": LIMIT})
    assert await drain(stream) == [-1, *range(LIMIT - 1)]
