from __future__ import annotations

from pathlib import Path

import pytest

from freehold.app.runtime import open_runtime
from freehold.bridge import endpoint, pairing
from freehold.bridge.client import connect
from freehold.browser.launch import LaunchedBrowser
from freehold.errors import FreeholdError
from tests.e2e.agent import Agent
from tests.e2e.popup import open_popup
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio


async def test_a_session_cannot_touch_a_tab_of_another(agent: Agent, site: Site) -> None:
    tab = await agent.open(site.page("/", "<button>Mine</button>"))
    async with open_runtime(session="stranger") as runtime:
        stranger = Agent(runtime)
        for tool, arguments in (
            ("read_page", {}),
            ("navigate", {"url": "about:blank"}),
            ("javascript_tool", {"text": "1"}),
            ("computer", {"action": "screenshot"}),
            ("tabs_close", {}),
        ):
            assert await stranger.fails(tool, tabId=tab, **arguments) == "outside_fence"
    assert "button Mine" in await agent.outline(tabId=tab)


async def test_a_tab_that_does_not_exist_is_named(agent: Agent) -> None:
    assert await agent.fails("read_page", tabId=1) == "unknown_tab"


async def test_two_agents_of_one_name_get_sessions_of_their_own(agent: Agent) -> None:
    del agent
    async with open_runtime(session="twin") as first, open_runtime(session="twin") as second:
        names = [(await Agent(each).call("tabs_context")).data["session"] for each in (first, second)]
    assert names == ["twin", "twin-2"]


async def test_an_agent_that_comes_back_finds_its_tabs_and_refs(agent: Agent, site: Site) -> None:
    del agent
    async with open_runtime(session="returning") as runtime:
        tab = await Agent(runtime).open(site.page("/", "<button>Mine</button>"))
        ref = await Agent(runtime).ref("button Mine")
    async with open_runtime(session="returning") as runtime:
        again = Agent(runtime)
        assert await again.ref("button Mine") == ref
        await again.call("tabs_close", tabId=tab)


async def test_one_shot_commands_share_their_session(agent: Agent, site: Site) -> None:
    del agent
    async with open_runtime(session="shared", exclusive=False) as one:
        tab = await Agent(one).open(site.page("/", "<p>here"))
        async with open_runtime(session="shared", exclusive=False) as other:
            assert "here" in await Agent(other).outline(tabId=tab)
        await Agent(one).call("tabs_close", tabId=tab)


async def test_the_popup_hands_a_tab_over_and_takes_it_back(
    agent: Agent, chromium: LaunchedBrowser, site: Site
) -> None:
    session = (await agent.call("tabs_context")).data["session"]
    async with open_runtime(session="owner") as runtime:
        tab = await Agent(runtime).open(site.page("/", "<p>handed"))
        popup = await open_popup(chromium)
        await popup.wish(f"{{type: 'hand', tabId: {tab}, session: '{session}'}}")
        assert "handed" in await agent.outline(tabId=tab)
        assert await Agent(runtime).fails("read_page", tabId=tab) == "outside_fence"
        await popup.wish(f"{{type: 'release', tabId: {tab}}}")
        assert await agent.fails("read_page", tabId=tab) == "outside_fence"
        await popup.wish(f"{{type: 'hand', tabId: {tab}, session: '{session}'}}")
    await agent.call("tabs_close", tabId=tab)


async def test_the_pause_stops_every_agent_until_the_user_lifts_it(
    agent: Agent, chromium: LaunchedBrowser, site: Site
) -> None:
    await agent.open(site.page("/", "<p>here"))
    popup = await open_popup(chromium)
    await popup.wish("{type: 'pause', paused: true}")
    try:
        assert await agent.fails("read_page") == "paused"
        assert await agent.fails("tabs_create") == "paused"
    finally:
        await popup.wish("{type: 'pause', paused: false}")
    assert "here" in await agent.outline()


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Target.createTarget", {"url": "about:blank"}),
        ("Storage.getCookies", {}),
        ("Network.getCookies", {}),
        ("Browser.close", {}),
        ("Runtime.evaluate", {"expression": "1", "uniqueContextId": "1.1"}),
        ("Page.captureScreenshot", {"format": "png", "unknown": True}),
    ],
)
async def test_the_gate_lets_no_command_through_that_reaches_beyond_the_tab(
    agent: Agent, home: Path, site: Site, method: str, params: dict[str, object]
) -> None:
    del agent
    (socket,) = endpoint.sockets(home / "run")
    async with connect(socket, pairing.read(home / "pairing.key")) as client:
        await client.call("session.open", {"name": "raw", "exclusive": False, "client": "test"})
        tab = await client.call("tabs.create", {"url": site.page("/", "<p>here")})
        request = {"tabId": tab["tabId"], "method": method, "params": params}
        with pytest.raises(FreeholdError) as refused:
            await client.call("debugger.send", request)
        assert refused.value.code == "command_not_allowed"
        with pytest.raises(FreeholdError) as refused:
            await client.call(
                "debugger.batch", {"tabId": tab["tabId"], "commands": [{"method": method, "params": params}]}
            )
        assert refused.value.code == "command_not_allowed"
        await client.call("tabs.close", {"tabId": tab["tabId"]})


@pytest.mark.parametrize(
    "url", ["chrome://settings", "file:///etc/passwd", "javascript:alert(1)", "chrome-extension://x/y"]
)
async def test_no_tab_is_created_beyond_the_web(agent: Agent, home: Path, url: str) -> None:
    del agent
    (socket,) = endpoint.sockets(home / "run")
    async with connect(socket, pairing.read(home / "pairing.key")) as client:
        await client.call("session.open", {"name": "raw", "exclusive": False, "client": "test"})
        with pytest.raises(FreeholdError) as refused:
            await client.call("tabs.create", {"url": url})
    assert refused.value.code == "address_not_allowed"


async def test_the_popup_names_the_agent_of_each_session(agent: Agent, chromium: LaunchedBrowser) -> None:
    del agent
    async with open_runtime(session="named", agent="Somebody's agent 2.1") as runtime:
        await Agent(runtime).call("tabs_context")
        popup = await open_popup(chromium)
        view = await popup.wish("{type: 'look'}")
    (named,) = [session for session in view["sessions"] if session["name"] == "named"]
    assert named["agents"] == [{"client": "Somebody's agent 2.1"}]
