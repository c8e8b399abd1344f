"""After each fault: a clear error, and the next call works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from freehold.app.runtime import open_runtime
from freehold.bridge import endpoint
from freehold.browser.launch import LaunchedBrowser
from freehold.tools.result import ToolResult
from tests.e2e.agent import Agent
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio


def host_pid(home: Path) -> int:
    (socket,) = endpoint.sockets(home / "run")
    return int(socket.stem.removeprefix("host-"))


async def stop_worker(browser: LaunchedBrowser) -> None:
    targets = (await browser.devtools.call("Target.getTargets"))["targetInfos"]
    (worker,) = [each["targetId"] for each in targets if each["type"] == "service_worker"]
    await browser.devtools.call("Target.closeTarget", targetId=worker)


async def test_the_host_killed_between_calls_costs_nothing(agent: Agent, home: Path, site: Site) -> None:
    await agent.open(site.page("/", "<button>Here</button>"))
    ref = await agent.ref("button Here")
    killed = host_pid(home)
    os.kill(killed, signal.SIGKILL)
    while (await agent.runtime.call("tabs_context", {})).is_error:
        pass
    assert host_pid(home) != killed
    assert await agent.ref("button Here") == ref


async def test_the_host_killed_during_a_call_is_a_clear_error_and_the_next_call_works(
    agent: Agent, home: Path, site: Site
) -> None:
    await agent.open(site.page("/", "<button>Here</button>"))
    results: list[ToolResult] = []
    async with anyio.create_task_group() as tasks:

        async def hang() -> None:
            results.append(await agent.runtime.call("javascript_tool", {"text": "await new Promise(() => 0)"}))

        tasks.start_soon(hang)
        # The call hangs in the page for sure once the page says that it has begun.
        while "waiting" not in str((await agent.runtime.call("javascript_tool", {"text": "'waiting'"})).data):
            pass
        os.kill(host_pid(home), signal.SIGKILL)
    assert results[0].data["error"]["code"] == "connection_lost"
    assert "button Here" in await agent.outline()


async def test_refs_and_session_survive_a_restart_of_the_service_worker(
    agent: Agent, chromium: LaunchedBrowser, site: Site
) -> None:
    tab = await agent.open(site.page("/", "<button onclick='document.title=`hit`'>Here</button>"))
    ref = await agent.ref("button Here")
    await stop_worker(chromium)
    # A call that meets the end of the worker may say connection_lost; the one after it must not.
    await agent.runtime.call("tabs_context", {})
    await agent.click(ref, tabId=tab)
    assert await agent.value("document.title") == "hit"
    await agent.value("document.body.append(Object.assign(document.createElement('button'), {textContent: 'New'})), 0")
    assert await agent.ref("button New") != ref
    assert await agent.ref("button Here") == ref


async def test_an_agent_killed_during_a_call_leaves_the_browser_usable(agent: Agent, home: Path, site: Site) -> None:
    url = site.page("/", "<button>Here</button>")
    script = (
        "import anyio\nfrom freehold.app.runtime import open_runtime\n"
        "async def main():\n async with open_runtime(session='killed') as r:\n"
        f"  await r.call('navigate', {{'url': {url!r}}})\n  print('ready', flush=True)\n"
        "  await r.call('javascript_tool', {'text': 'await new Promise(() => 0)'})\nanyio.run(main)\n"
    )
    with subprocess.Popen([sys.executable, "-I", "-c", script], stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert await anyio.to_thread.run_sync(killed.stdout.readline) == "ready\n"
        killed.kill()
    async with open_runtime(session="killed") as runtime:
        heir = Agent(runtime)
        assert (await heir.call("tabs_context")).data["session"] == "killed"
        assert "button Here" in await heir.outline()
        (tab,) = (await heir.call("tabs_context")).data["tabs"]
        await heir.call("tabs_close", tabId=tab["tabId"])


async def test_a_tab_closed_during_a_call_is_a_clear_error(agent: Agent, site: Site) -> None:
    url = site.page("/", "<button>Here</button>")
    closed, kept = await agent.open(url), await agent.open(url)
    results: list[ToolResult] = []
    async with anyio.create_task_group() as tasks:

        async def hang() -> None:
            arguments = {"text": "await new Promise(() => 0)", "tabId": closed}
            results.append(await agent.runtime.call("javascript_tool", arguments))

        tasks.start_soon(hang)
        await agent.value("1", tabId=kept)
        await agent.call("tabs_close", tabId=closed)
    assert results[0].data["error"]["code"] == "tab_closed"
    assert await agent.fails("read_page", tabId=closed) == "unknown_tab"
    assert "button Here" in await agent.outline(tabId=kept)


async def test_a_click_that_closes_its_tab_says_so(agent: Agent, site: Site) -> None:
    site.page("/two", "<button onclick='window.close()'>Close</button>")
    opener = await agent.open(site.page("/", "<button onclick='window.open(`/two`)'>Open</button>"))
    clicked = await agent.click(await agent.ref("button Open"), tabId=opener)
    popup = clicked.data["new_tabs"][0]["tabId"]
    closed = await agent.click(await agent.ref("button Close", tabId=popup), tabId=popup)
    assert closed.data["tab"] is None
    assert "Open" in await agent.outline(tabId=opener)


async def test_a_crashed_tab_is_named_and_a_reload_brings_it_back(agent: Agent, site: Site) -> None:
    url = site.page("/", "<button>Here</button>")
    tab = await agent.open(url)
    await agent.runtime.call("navigate", {"url": "chrome://crash", "tabId": tab})
    assert "button Here" in await agent.outline(tabId=tab)


async def test_cancelling_a_call_ends_it_and_the_next_call_works(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<button>Here</button>"))
    with anyio.move_on_after(0.3) as scope:
        await agent.runtime.call("javascript_tool", {"text": "await new Promise(() => 0)"})
    assert scope.cancelled_caught
    assert "button Here" in await agent.outline()


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "valid"),
    [
        ("no_such_tool", {}, "unknown_tool", "read_page"),
        ("navigate", {"adress": "x"}, "invalid_argument", "url, tabId"),
        ("navigate", {"url": 3}, "invalid_argument", "url, tabId"),
        ("navigate", {"url": "http://"}, "invalid_argument", "complete http or https address"),
        ("computer", {"action": "fly"}, "invalid_argument", "left_click, right_click"),
        ("computer", {"action": "scroll", "scroll_direction": "in"}, "invalid_argument", "down, left, right, up"),
        ("computer", {"action": "key", "text": "Entre"}, "unknown_key", "Did you mean Enter"),
        ("computer", {"action": "left_click", "ref": "ref_999"}, "unknown_ref", "read_page"),
        ("computer", {"action": "left_click", "ref": "the button"}, "invalid_argument", "ref_"),
        ("read_page", {"filter": "none"}, "invalid_argument", "all, interactive"),
        ("read_page", {"tabId": 1}, "unknown_tab", "tabs_context"),
        ("read_page", {"tabId": -1}, "unknown_tab", "tabs_context"),
        ("read_page", {"tabId": 1 << 70}, "unknown_tab", "tabs_context"),
        ("javascript_tool", {"text": "("}, "script_error", "SyntaxError"),
        ("javascript_tool", {"text": "window"}, "script_error", "plain"),
    ],
)
async def test_bad_input_is_answered_with_what_is_valid(
    agent: Agent, site: Site, tool: str, arguments: dict[str, Any], code: str, valid: str
) -> None:
    await agent.open(site.page("/", "<button>Here</button>"))
    result = await agent.runtime.call(tool, arguments)
    assert result.data["error"]["code"] == code
    assert valid in result.text
    assert "Traceback" not in result.text
    assert "button Here" in await agent.outline()


async def test_without_a_browser_a_tool_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREEHOLD_HOME", str(tmp_path / "empty"))
    async with open_runtime(session="alone") as runtime:
        assert await Agent(runtime).fails("tabs_context") == "setup_missing"
