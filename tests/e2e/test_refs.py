from __future__ import annotations

import pytest

from tests.e2e.agent import Agent
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio


async def test_a_ref_survives_reading_again_insertion_reordering_and_renaming(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<div><button id=a>One</button><button id=b>Two</button></div>"))
    two = await agent.ref("button Two")
    await agent.value("b.parentElement.prepend(Object.assign(document.createElement('button'), {textContent: 'New'}))")
    await agent.value("b.parentElement.prepend(b), b.textContent = 'Renamed', 0")
    assert await agent.ref("button Renamed") == two
    assert await agent.ref("button New") != two


async def test_a_ref_of_a_removed_element_is_refused(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<button id=a>One</button>"))
    ref = await agent.ref("button One")
    await agent.value("a.remove()")
    assert await agent.fails("computer", action="left_click", ref=ref) == "ref_removed"
    assert await agent.fails("read_page", ref=ref) == "ref_removed"


async def test_an_element_that_replaces_another_gets_a_ref_of_its_own(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<main><button>One</button></main>"))
    ref = await agent.ref("button One")
    await agent.value("document.querySelector('main').innerHTML = '<button>One</button>', 0")
    assert await agent.ref("button One") != ref
    assert await agent.fails("form_input", ref=ref, value="x") == "ref_removed"


async def test_a_ref_of_a_page_left_behind_is_refused(agent: Agent, site: Site) -> None:
    other = site.page("/other", "<button onclick='document.title=`hit`'>One</button>", title="Other")
    await agent.open(site.page("/", "<button>One</button>"))
    ref = await agent.ref("button One")
    await agent.call("navigate", url=other)
    assert await agent.fails("computer", action="left_click", ref=ref) == "ref_navigated"
    assert await agent.value("document.title") == "Other"


async def test_a_ref_of_a_frame_left_behind_is_refused(agent: Agent, site: Site) -> None:
    site.page("/one", "<button>One</button>")
    site.page("/two", "<button>Two</button>")
    await agent.open(site.page("/", "<iframe src=/one></iframe>"))
    ref = await agent.ref("button One")
    await agent.value(
        "new Promise(done => { const f = document.querySelector('iframe'); f.onload = () => done(1); f.src = '/two' })"
    )
    assert await agent.fails("computer", action="left_click", ref=ref) == "ref_navigated"
    assert await agent.ref("button Two") != ref


async def test_a_ref_never_given_out_is_refused(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<button>One</button>"))
    await agent.outline()
    assert await agent.fails("computer", action="left_click", ref="ref_4711") == "unknown_ref"
    assert await agent.fails("computer", action="left_click", ref="button") == "invalid_argument"


async def test_refs_of_two_tabs_do_not_mix(agent: Agent, site: Site) -> None:
    url = site.page("/", "<button onclick='document.title=`hit`'>One</button>")
    first, second = await agent.open(url), await agent.open(url)
    ref = await agent.ref("button One", tabId=first)
    await agent.outline(tabId=second)
    await agent.click(ref, tabId=first)
    assert await agent.value("document.title", tabId=first) == "hit"
    assert await agent.value("document.title", tabId=second) == "Test"


async def test_going_back_to_a_kept_page_brings_its_refs_back(agent: Agent, site: Site) -> None:
    other = site.page("/other", "<p>other")
    await agent.open(site.page("/", "<button>One</button>"))
    ref = await agent.ref("button One")
    await agent.call("navigate", url=other)
    await agent.call("navigate", url="back")
    now = await agent.ref("button One")
    kept = await agent.value("performance.getEntriesByType('navigation')[0].type") != "back_forward"
    # Chrome decides whether it keeps a page; either way a number is never given to another element.
    assert (now == ref) == kept
