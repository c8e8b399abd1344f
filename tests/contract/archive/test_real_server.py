"""The archive's tools and sync against the real server, both within the process and over HTTP."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from freehold.archive.archive import Archive, Opener
from freehold.archive.cursors import Cursors
from freehold.archive.sync import Sync
from freehold.errors import FreeholdError
from freehold.tools import catalog
from freehold.tools.result import ToolResult
from tests.contract.archive.servers import KINDS, opener
from tests.unit.archive.machine import PATIENT
from tests.unit.archive.pi_session import THREAD, PiSession

pytestmark = pytest.mark.anyio

AWKWARD = "  a\r\n\tb\u2028c\u200b \U0001f600 端口 'x' \"y\" \\ \n  "


@pytest.fixture(params=KINDS, scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Opener]:
    with opener(request.param, tmp_path_factory.mktemp("server")) as found:
        yield found


class Process:
    """One process that uses the archive: its tools and its sync."""

    def __init__(self, archive: Archive, sync: Sync) -> None:
        self._archive = archive
        self.sync = sync

    async def __call__(self, what: str, /, **arguments: Any) -> ToolResult:
        tool = catalog.named(f"nmem_{what}")
        return await tool.handler(self._archive, tool.parse(arguments))


@asynccontextmanager
async def process(server: Opener, folder: Path) -> AsyncGenerator[Process]:
    cursors = Cursors(folder / "cursors")
    try:
        async with anyio.create_task_group() as tasks:
            archive = Archive(tasks, server)
            yield Process(
                archive, Sync(tasks, archive, lambda: cursors, data=folder, tell=pytest.fail, deadlines=PATIENT)
            )
            tasks.cancel_scope.cancel()
    finally:
        cursors.close()


async def test_a_memory_is_saved_found_changed_and_read_byte_for_byte(server: Opener, tmp_path: Path) -> None:
    async with process(server, tmp_path) as call:
        saved = await call(
            "save_memory", title="Ports", content=AWKWARD, labels=["net"], unit_type="fact", importance=0.9
        )
        found = (await call("search", query="端口")).data
        assert [one["content"] for one in found["memories"]] == [AWKWARD]
        assert (found["memories"][0]["labels"], found["memories"][0]["importance"]) == (["net"], 0.9)
        changed = await call("save_memory", id=saved.data["id"], labels=["web", "net"], title="Other")
        assert (changed.data["warnings"], changed.data["created"]) == ([], False)
        read = (await call("read_thread", thread_id=saved.data["id"])).data
        assert (read["title"], read["content"], sorted(read["labels"])) == ("Other", AWKWARD, ["net", "web"])


async def test_every_refusal_of_the_real_server_has_its_code(server: Opener, tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("read_thread", {"thread_id": "nothing/../at?all"}, "not_found"),
        ("save_memory", {"id": "nothing", "content": "x"}, "not_found"),
        ("search", {"query": "", "kind": "threads"}, "bad_request"),
    ]
    async with process(server, tmp_path) as call:
        for what, arguments, code in calls:
            with pytest.raises(FreeholdError) as caught:
                await call(what, **arguments)
            assert (caught.value.code, caught.value.data["attempts"]) == (code, 1)


async def test_a_session_grows_branches_and_is_found_and_read(server: Opener, tmp_path: Path) -> None:
    session = PiSession(tmp_path / "sessions").turn(1).turn(2)
    async with process(server, tmp_path) as first:
        await first.sync.observe("shutdown", session.payload)
        await first.sync.observe("compact", session.payload)
        session.user("Where is the greenhouse?").answer("Behind the barn. 在谷仓后面")
        await first.sync.observe("shutdown", session.payload)
    session.back_to("e2").turn(3)
    async with process(server, tmp_path) as second:
        await second.sync.observe("shutdown", session.payload)
        hits = (await second("search", query="greenhouse", kind="threads")).data["threads"]
        assert [(one["thread_id"], one["hits"][0]["index"]) for one in hits] == [(THREAD, 4)]
        assert (await second("search", query="谷仓", kind="threads")).data["threads"][0]["thread_id"] == THREAD
        read = (await second("read_thread", thread_id=THREAD)).data["messages"]
        wanted = ["question 1", "answer 1", "question 2", "answer 2", "Where is the greenhouse?"]
        assert [one["content"] for one in read] == [*wanted, "Behind the barn. 在谷仓后面"]
        branch = (await second("read_thread", thread_id=f"{THREAD}-b-e7")).data["messages"]
        assert [one["content"] for one in branch] == ["question 1", "answer 1", "question 3", "answer 3"]
        listed = (await second("list_threads", source="pi")).data
        assert (listed["total"], {one["messages"] for one in listed["threads"]}) == (2, {4, 6})


async def test_lost_cursors_and_a_long_session_make_nothing_double(server: Opener, tmp_path: Path) -> None:
    session = PiSession(tmp_path / "sessions", "long")
    for number in range(130):
        session.turn(number)
    for home in ("one", "two", "one", "three"):
        async with process(server, tmp_path / home) as call:
            await call.sync.observe("shutdown", session.turn(1_000).payload)
            await call.sync.flush()
    async with process(server, tmp_path) as call:
        after: dict[str, int] = {}
        texts: list[str] = []
        while True:
            data = (await call("read_thread", thread_id="pi-long", **after)).data
            texts += [one["content"] for one in data["messages"]]
            if not data["next"]:
                break
            after = data["next"]
    numbers = [*range(130), 1_000, 1_000, 1_000, 1_000]
    assert texts == [text for number in numbers for text in (f"question {number}", f"answer {number}")]
