from __future__ import annotations

import pytest

from tests.e2e.agent import Agent
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio


async def test_a_form_is_filled_and_sent_by_refs(agent: Agent, site: Site) -> None:
    url = site.page(
        "/", "<form action=/post method=post><label>Name <input name=who></label><button>Send</button></form>"
    )
    await agent.open(url)
    await agent.call("computer", action="type", ref=await agent.ref("textbox Name"), text="Zoë 👩‍👩‍👧 سلام‌ها")
    sent = await agent.click(await agent.ref("button Send"))
    assert site.received == [("/post", {"who": ["Zoë 👩‍👩‍👧 سلام‌ها"]})]
    assert sent.data["tab"]["title"] == "Thanks"


async def test_a_click_says_which_element_has_focus_after_it(agent: Agent, site: Site) -> None:
    await agent.open(
        site.page("/", "<button onclick='document.querySelector(`input`).focus()'>Edit</button><input aria-label=Note>")
    )
    clicked = await agent.click(await agent.ref("button Edit"))
    assert clicked.data["focus"]["name"] == "Note"


async def test_a_covered_element_is_not_clicked_and_its_cover_is_named(agent: Agent, site: Site) -> None:
    cover = "<div role=dialog aria-label=Consent style='position:fixed;inset:0;background:#fff'>Cookies</div>"
    await agent.open(site.page("/", f"<button onclick='document.title=`hit`'>Buy</button>{cover}"))
    ref = await agent.ref("button Buy")
    result = await agent.runtime.call("computer", {"action": "left_click", "ref": ref})
    assert result.data["error"]["code"] == "element_covered"
    assert result.data["error"]["data"]["cover"]["name"] == "Consent"
    assert await agent.value("document.title") == "Test"


async def test_an_element_below_the_fold_is_scrolled_to_and_clicked(agent: Agent, site: Site) -> None:
    await agent.open(
        site.page("/", "<div style='height:5000px'></div><button onclick='document.title=`hit`'>Far</button>")
    )
    await agent.click(await agent.ref("button Far"))
    assert await agent.value("document.title") == "hit"


@pytest.mark.parametrize(
    ("action", "event"),
    [
        ("left_click", "click 1"),
        ("right_click", "contextmenu 0"),
        ("double_click", "dblclick 2"),
        ("triple_click", "click 3"),
    ],
)
async def test_each_kind_of_click_arrives_as_the_users_own(agent: Agent, site: Site, action: str, event: str) -> None:
    name, detail = event.split()
    script = f"addEventListener('{name}', e => document.title = `${{e.isTrusted}} ${{e.detail}}`)"
    await agent.open(site.page("/", f"<button>Press</button><script>{script}</script>"))
    await agent.call("computer", action=action, ref=await agent.ref("button Press"))
    assert await agent.value("document.title") == f"true {detail}"


async def test_modifiers_are_held_during_a_click(agent: Agent, site: Site) -> None:
    await agent.open(
        site.page("/", "<button onclick='document.title=`${event.ctrlKey} ${event.shiftKey}`'>Pick</button>")
    )
    await agent.click(await agent.ref("button Pick"), modifiers="ctrl+shift")
    assert await agent.value("document.title") == "true true"


async def test_keys_reach_the_focused_field(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<textarea aria-label=Note></textarea>"))
    ref = await agent.ref("textbox Note")
    await agent.call("computer", action="type", ref=ref, text="one two")
    await agent.call("computer", action="key", text="ctrl+a Delete")
    await agent.call("computer", action="type", text="three\nfour")
    assert await agent.value("document.querySelector('textarea').value") == "three\nfour"


async def test_hovering_opens_what_only_hovering_opens(agent: Agent, site: Site) -> None:
    style = "<style>.menu{display:none} nav:hover .menu{display:block}</style>"
    await agent.open(site.page("/", f"{style}<nav aria-label=Main>Products<a class=menu href=/x>Shoes</a></nav>"))
    assert "link Shoes" not in await agent.outline()
    await agent.call("computer", action="hover", ref=await agent.ref("navigation Main"))
    assert "link Shoes" in await agent.outline()


async def test_an_element_is_dragged_onto_another(agent: Agent, site: Site) -> None:
    body = """
    <div id=box draggable=true role=button aria-label=Card style="width:80px;height:40px;background:#ccc">Card</div>
    <div id=bin role=region aria-label=Done style="width:200px;height:100px;margin-top:50px;background:#eee"></div>
    <script>
      bin.ondragover = event => event.preventDefault();
      bin.ondrop = event => { event.preventDefault(); bin.append(box); document.title = "dropped"; };
    </script>"""
    await agent.open(site.page("/", body))
    card, done = await agent.ref("button Card"), await agent.ref("region Done")
    await agent.call("computer", action="drag", start_ref=card, ref=done)
    assert await agent.value("document.title") == "dropped"


async def test_scrolling_moves_the_page_and_says_where_it_is(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<div style='height:5000px'>tall</div>"))
    scrolled = await agent.call("computer", action="scroll", scroll_direction="down", scroll_amount=3)
    assert await agent.value("scrollY") == 300
    assert "0,300 of" in scrolled.text


async def test_an_action_in_a_hidden_tab_works_as_in_a_visible_one(agent: Agent, site: Site) -> None:
    url = site.page("/", "<button onclick='document.title=`hit`'>Press</button>")
    first, second = await agent.open(url), await agent.open(url)
    # Tabs that an agent opens do not come to the front, so both are hidden.
    assert [tab["active"] for tab in (await agent.call("tabs_context")).data["tabs"]] == [False, False]
    for tab in (first, second):
        await agent.click(await agent.ref("button Press", tabId=tab), tabId=tab)
        assert await agent.value("document.title", tabId=tab) == "hit"
        assert (await agent.call("computer", action="screenshot", tabId=tab)).images


async def test_a_link_into_a_new_tab_is_reported_and_the_tab_can_be_used(agent: Agent, site: Site) -> None:
    site.page("/two", "<button>Inside</button>", title="Two")
    await agent.open(site.page("/", "<a href=/two target=_blank>Open</a>"))
    clicked = await agent.click(await agent.ref("link Open"))
    (opened,) = clicked.data["new_tabs"]
    assert "button Inside" in await agent.outline(tabId=opened["tabId"])


async def test_a_popup_window_is_taken_into_the_session(agent: Agent, site: Site) -> None:
    site.page("/two", "<button>Inside</button>", title="Two")
    script = "window.open(`/two`, `p`, `width=300,height=300`)"
    await agent.open(site.page("/", f"<button onclick='{script}'>Open</button>"))
    clicked = await agent.click(await agent.ref("button Open"))
    (opened,) = clicked.data["new_tabs"]
    assert "button Inside" in await agent.outline(tabId=opened["tabId"])


async def test_a_download_is_reported(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<a href=/file.bin>Get</a>"))
    clicked = await agent.click(await agent.ref("link Get"))
    (download,) = clicked.data["downloads"]
    assert download["url"] == site.url("/file.bin")


async def test_a_script_runs_in_the_pages_own_world(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<script>window.secret = {of: ['the', 'page']}</script>"))
    assert await agent.value("secret") == {"of": ["the", "page"]}
    assert await agent.value("await Promise.resolve(6 * 7)") == 42
    assert await agent.fails("javascript_tool", text="missing.value") == "script_error"
