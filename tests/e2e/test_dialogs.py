from __future__ import annotations

import pytest

from tests.e2e.agent import Agent
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("kind", ["alert", "confirm", "prompt"])
async def test_a_dialog_during_a_click_is_the_clicks_answer(agent: Agent, site: Site, kind: str) -> None:
    await agent.open(site.page("/", f"<button onclick='document.title = {kind}(`Sure?`)'>Ask</button>"))
    clicked = await agent.click(await agent.ref("button Ask"))
    assert clicked.data["dialog"] == {"type": kind, "message": "Sure?", "default_prompt": ""}
    await agent.call("handle_dialog", accept=True, text="yes")
    assert await agent.value("document.title") == {"alert": "undefined", "confirm": "true", "prompt": "yes"}[kind]


async def test_a_dismissed_confirm_answers_no(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<button onclick='document.title = confirm(`Sure?`)'>Ask</button>"))
    await agent.click(await agent.ref("button Ask"))
    await agent.call("handle_dialog", accept=False)
    assert await agent.value("document.title") == "false"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_page", {}),
        ("find", {"query": "button"}),
        ("get_page_text", {}),
        ("javascript_tool", {"text": "1"}),
        ("navigate", {"url": "about:blank"}),
        ("computer", {"action": "screenshot"}),
        ("computer", {"action": "key", "text": "Enter"}),
    ],
)
async def test_every_call_on_a_page_that_a_dialog_holds_names_the_dialog(
    agent: Agent, site: Site, tool: str, arguments: dict[str, object]
) -> None:
    await agent.open(site.page("/", "<button onclick='alert(`Wait`)'>Ask</button>"))
    await agent.click(await agent.ref("button Ask"))
    result = await agent.runtime.call(tool, arguments)
    assert result.data["error"]["code"] == "dialog_open"
    assert "Wait" in result.text
    await agent.call("handle_dialog", accept=True)
    assert "Ask" in await agent.outline()


@pytest.mark.parametrize("kind", ["alert", "confirm", "prompt"])
async def test_a_dialog_that_opens_during_a_read_ends_the_read(agent: Agent, site: Site, kind: str) -> None:
    await agent.open(site.page("/", "<button>Here</button>"))
    # The page is too busy to be read until the dialog opens, so the reading has begun before.
    busy = "const end = performance.now() + 1000; while (performance.now() < end);"
    await agent.value(f"setTimeout(() => {{ {busy} {kind}('Late') }}), 0")
    read = await agent.runtime.call("read_page", {})
    assert read.data["error"]["code"] == "dialog_open"
    assert "Late" in read.text
    await agent.call("handle_dialog", accept=True)
    assert "button Here" in await agent.outline()


async def test_a_dialog_in_a_cross_origin_frame_is_reported_and_answered(agent: Agent, site: Site) -> None:
    site.page("/frame", "<button onclick='document.title = confirm(`Inner?`)'>Ask</button>")
    await agent.open(
        site.page("/", f"<iframe src='{site.url('/frame', host='localhost')}' width=400 height=200></iframe>")
    )
    clicked = await agent.click(await agent.ref("button Ask"))
    assert clicked.data["dialog"]["message"] == "Inner?"
    await agent.call("handle_dialog", accept=True)
    assert "Ask" in await agent.outline()


async def test_a_page_that_asks_before_it_is_left_is_left_only_when_told(agent: Agent, site: Site) -> None:
    other = site.page("/other", "<p>other", title="Other")
    await agent.open(
        site.page("/", "<input aria-label=Draft><script>onbeforeunload = event => event.preventDefault()</script>")
    )
    await agent.call("computer", action="type", ref=await agent.ref("textbox Draft"), text="x")
    asked = await agent.call("navigate", url=other)
    assert asked.data["dialog"]["type"] == "beforeunload"
    stayed = await agent.call("handle_dialog", accept=False)
    assert stayed.data["tab"]["url"] == site.url("/")
    await agent.call("navigate", url=other)
    left = await agent.call("handle_dialog", accept=True)
    assert left.data["tab"]["url"] == other


async def test_a_click_that_would_leave_a_page_which_asks_first_is_answered_with_the_question(
    agent: Agent, site: Site
) -> None:
    site.page("/other", "<p>other", title="Other")
    asks = "<script>onbeforeunload = event => event.preventDefault()</script>"
    await agent.open(site.page("/", f"<input aria-label=Draft><a href=/other>Leave</a>{asks}"))
    await agent.call("computer", action="type", ref=await agent.ref("textbox Draft"), text="x")
    clicked = await agent.click(await agent.ref("link Leave"))
    assert clicked.data["dialog"]["type"] == "beforeunload"
    assert await agent.fails("read_page") == "dialog_open"
    await agent.call("handle_dialog", accept=False)
    left = await agent.click(await agent.ref("link Leave"))
    assert left.data["dialog"]["type"] == "beforeunload"
    await agent.call("handle_dialog", accept=True)
    assert "other" in await agent.outline()


async def test_answering_a_dialog_that_is_not_there_is_refused(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<p>quiet"))
    assert await agent.fails("handle_dialog", accept=True) == "no_dialog"


async def test_typing_that_a_dialog_stops_is_not_told_as_done(agent: Agent, site: Site) -> None:
    field = "<textarea aria-label=Field oninput='if (this.value.length === 5) alert(`stop`)'></textarea>"
    await agent.open(site.page("/", field))
    typed = await agent.call("computer", action="type", ref=await agent.ref("textbox Field"), text="abcdefghij" * 30)
    assert "was stopped by a dialog" in typed.text
    assert typed.data["dialog"]["message"] == "stop"
    await agent.call("handle_dialog", accept=True)
    assert await agent.value("document.querySelector('textarea').value.length") < 300
