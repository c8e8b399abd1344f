from __future__ import annotations

import pytest

from tests.e2e.agent import Agent
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio


async def test_back_forward_and_reload_move_through_history(agent: Agent, site: Site) -> None:
    two = site.page("/two", "<p>two", title="Two")
    await agent.open(site.page("/", "<p>one", title="One"))
    await agent.call("navigate", url=two)
    for way, title in (("back", "One"), ("forward", "Two"), ("reload", "Two")):
        moved = await agent.call("navigate", url=way)
        assert moved.data["tab"]["title"] == title
    assert await agent.fails("navigate", url="forward") == "navigation_failed"


async def test_an_address_without_a_scheme_is_completed(agent: Agent, site: Site) -> None:
    site.page("/", "<p>home", title="Home")
    moved = await agent.call("navigate", url=f"localhost:{site.port}")
    assert moved.data["tab"]["title"] == "Home"


async def test_an_address_that_nobody_serves_says_so(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<p>here"))
    assert await agent.fails("navigate", url="http://127.0.0.1:9/") == "navigation_failed"
    assert await agent.fails("navigate", url="http://no-such-host.invalid/") == "navigation_failed"
    await agent.call("navigate", url=site.url("/"))
    assert "here" in await agent.outline()


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "file:///etc/passwd", "chrome://settings", "data:text/html,x", "view-source:http://a"],
)
async def test_addresses_beyond_the_web_are_denied(agent: Agent, site: Site, url: str) -> None:
    await agent.open(site.page("/", "<p>here"))
    assert await agent.fails("navigate", url=url) == "address_not_allowed"
    assert "here" in await agent.outline()


async def test_a_click_that_navigates_waits_for_the_new_page(agent: Agent, site: Site) -> None:
    site.page("/two", "<button>There</button>", title="Two")
    await agent.open(site.page("/", "<a href=/two>Go</a>"))
    clicked = await agent.click(await agent.ref("link Go"))
    assert clicked.data["tab"]["title"] == "Two"
    assert "button There" in await agent.outline()


async def test_a_page_that_never_stops_loading_can_be_read_and_left(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<p>here"))
    opened = await agent.call("navigate", url=site.url("/never"))
    assert opened.data["settled"] is False
    assert "button Early" in await agent.outline()
    left = await agent.call("navigate", url=site.url("/"))
    assert left.data["settled"] is True


async def test_a_change_of_address_within_a_page_is_reported(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<button onclick='history.pushState(0, 0, `/deep`)'>Go</button>"))
    clicked = await agent.click(await agent.ref("button Go"))
    assert clicked.data["tab"]["url"] == site.url("/deep")


async def test_navigating_to_an_anchor_keeps_the_page(agent: Agent, site: Site) -> None:
    url = site.page("/", "<button>One</button><p id=end>end")
    await agent.open(url)
    ref = await agent.ref("button One")
    await agent.call("navigate", url=f"{url}#end")
    assert await agent.ref("button One") == ref


async def test_a_session_without_a_tab_gets_one_by_navigating(agent: Agent, site: Site) -> None:
    assert await agent.fails("read_page") == "no_tab"
    await agent.call("navigate", url=site.page("/", "<p>here"))
    assert len((await agent.call("tabs_context")).data["tabs"]) == 1


async def test_a_failed_navigation_says_nothing_of_the_next(agent: Agent, site: Site) -> None:
    url = site.page("/", "<p>here")
    for _ in range(5):
        assert await agent.fails("navigate", url="http://127.0.0.1:1/") == "navigation_failed"
        assert "could not be loaded" not in (await agent.call("navigate", url=url)).text


async def test_without_a_tab_id_the_last_one_is_meant_and_another_once_it_is_gone(agent: Agent, site: Site) -> None:
    site.page("/second", "<h1>Second</h1>")
    first = await agent.open(
        site.page("/first", "<h1>First</h1><button onclick='window.open(`/second`)'>Open</button>")
    )
    clicked = await agent.click(await agent.ref("button Open"), tabId=first)
    (second,) = [tab["tabId"] for tab in clicked.data["new_tabs"]]
    assert "Second" in await agent.outline(tabId=second)
    assert "Second" in await agent.outline()
    # Not through tabs_close: the page goes by itself, as by a user's click.
    await agent.runtime.call("javascript_tool", {"text": "window.close()"})
    assert "First" in await agent.outline()
