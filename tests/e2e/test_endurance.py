"""The long runs: kills at random, hours of work in small, and pages and crowds of a size that nobody means to meet."""

from __future__ import annotations

import os
import random
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import pytest

from freehold.app.runtime import open_runtime
from freehold.bridge import endpoint
from freehold.browser.launch import LaunchedBrowser
from freehold.errors import FAMILIES
from tests.e2e.agent import Agent
from tests.e2e.site import Site

pytestmark = [pytest.mark.anyio, pytest.mark.long]

_ROUNDS = 30
_CYCLES = 300
_GROWTH = 32 << 20
_CROWD = 20


def host_pid(home: Path) -> int | None:
    sockets = endpoint.sockets(home / "run")
    return int(sockets[0].stem.removeprefix("host-")) if sockets else None


def resident(pid: int) -> int:
    """Return the resident memory of a process, bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def kill_one(home: Path, browser: LaunchedBrowser, chance: random.Random) -> None:
    if chance.random() < 0.5 and (pid := host_pid(home)):
        os.kill(pid, signal.SIGKILL)
        return
    targets = (await browser.devtools.call("Target.getTargets"))["targetInfos"]
    for worker in [each["targetId"] for each in targets if each["type"] == "service_worker"]:
        await browser.devtools.call("Target.closeTarget", targetId=worker)


async def test_kills_at_random_leave_refs_and_session_as_they_were(
    agent: Agent, chromium: LaunchedBrowser, home: Path, site: Site
) -> None:
    chance = random.Random(20)
    tab = await agent.open(site.page("/", "<button onclick='this.lang = document.lastModified'>Here</button>"))
    ref = await agent.ref("button Here", tabId=tab)
    for _ in range(_ROUNDS):
        async with anyio.create_task_group() as tasks:

            async def act() -> None:
                for _ in range(5):
                    result = await agent.runtime.call("computer", {"action": "left_click", "ref": ref, "tabId": tab})
                    assert not result.is_error or result.data["error"]["code"] in FAMILIES
                    assert not result.is_error or result.data["error"]["code"] != "internal_error", result.text

            tasks.start_soon(act)
            await kill_one(home, chromium, chance)
        # One call may meet the end of what was killed; the one after it must work.
        await agent.runtime.call("tabs_context", {})
        await agent.click(ref, tabId=tab)
        assert await agent.ref("button Here", tabId=tab) == ref


async def test_the_host_stays_flat_in_memory(agent: Agent, home: Path, site: Site) -> None:
    await agent.open(site.page("/", "<button>Here</button>" + "<a href=/x>link</a>" * 500))
    ref = await agent.ref("button Here")
    pid = host_pid(home)
    assert pid is not None
    before = 0
    for cycle in range(_CYCLES):
        await agent.click(ref)
        await agent.outline()
        await agent.call("computer", action="screenshot")
        if cycle == _CYCLES // 10:
            before = resident(pid)
    assert host_pid(home) == pid
    assert resident(pid) - before < _GROWTH


@pytest.mark.parametrize(
    "script",
    [
        "document.body.innerHTML = Array.from({length: 10000}, (_, n) => `<button>b${n}</button>`).join('')",
        "document.body.innerHTML = Array.from({length: 50000}, (_, n) => `<p>p${n}`).join('') + '<button>b1</button>'",
        """let at = document.body;
        for (let n = 0; n < 100; n++) at = at.appendChild(document.createElement('div')).attachShadow({mode: 'closed'});
        at.innerHTML = '<button>b1</button>'""",
    ],
)
async def test_a_page_of_any_size_is_read_and_acted_on(agent: Agent, site: Site, script: str) -> None:
    await agent.open(site.page("/", "<p>small"))
    await agent.value(f"(() => {{ {script} }})(), 0")
    found = await agent.call("find", query="b1 button")
    await agent.click(f"ref_{found.data['candidates'][0]['ref']}")
    read = await agent.call("read_page")
    assert read.data["tokens"] <= 11_000


async def test_a_crowd_of_agents_works_side_by_side(agent: Agent, site: Site) -> None:
    del agent
    url = site.page("/", "<button onclick='document.title = this.title = `mine`'>Here</button>")
    async with AsyncExitStack() as stack:
        crowd = [
            Agent(await stack.enter_async_context(open_runtime(session=f"crowd-{number}"))) for number in range(_CROWD)
        ]

        async def work(each: Agent) -> None:
            tab = await each.open(url)
            await each.click(await each.ref("button Here"))
            assert await each.value("document.title") == "mine"
            await each.call("tabs_close", tabId=tab)

        async with anyio.create_task_group() as tasks:
            for each in crowd:
                tasks.start_soon(work, each)
