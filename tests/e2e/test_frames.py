from __future__ import annotations

import pytest

from tests.e2e.agent import Agent
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio

_BUTTON = "<body style='margin:40px'><button onclick='this.textContent=`Hit`'>Press</button>"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize(
    "style", ["border:7px solid;padding:11px", "margin-top:3000px", "transform:scale(1.5);transform-origin:0 0"]
)
async def test_a_button_in_a_frame_is_hit_wherever_the_frame_stands(
    agent: Agent, site: Site, host: str, style: str
) -> None:
    site.page("/frame", _BUTTON)
    await agent.open(site.page("/", f"<iframe src='{site.url('/frame', host=host)}' style='{style}'></iframe>"))
    ref = await agent.ref("button Press")
    await agent.click(ref)
    assert f"[{ref}] button(focused) Hit" in await agent.outline()


async def test_a_button_in_a_frame_that_no_picture_has_shown_yet_is_hit(agent: Agent, site: Site) -> None:
    """A browser that has drawn the page before the frame leads the pointer past the frame (hidden tab, own process)."""
    site.page("/frame", _BUTTON)
    src = site.url("/frame", host="localhost")
    await agent.open(site.page("/", f"<iframe src='{src}' style='margin-top:3000px'></iframe>"))
    ref = await agent.ref("button Press")
    await agent.call("computer", action="screenshot")
    await agent.click(ref)
    assert "button(focused) Hit" in await agent.outline()


async def test_a_frame_within_a_frame_of_another_origin_is_read_and_hit(agent: Agent, site: Site) -> None:
    site.page("/inner", _BUTTON)
    site.page("/outer", f"<iframe src='{site.url('/inner')}' style='border:5px solid'></iframe>")
    await agent.open(
        site.page("/", f"<iframe src='{site.url('/outer', host='localhost')}' width=600 height=400></iframe>")
    )
    ref = await agent.ref("button Press")
    await agent.click(ref)
    assert "Hit" in await agent.outline()


async def test_a_sandboxed_frame_is_read_and_hit(agent: Agent, site: Site) -> None:
    site.page("/frame", _BUTTON)
    await agent.open(site.page("/", "<iframe sandbox=allow-scripts src=/frame></iframe>"))
    await agent.click(await agent.ref("button Press"))
    assert "Hit" in await agent.outline()


async def test_a_cover_over_a_frame_is_named(agent: Agent, site: Site) -> None:
    site.page("/frame", _BUTTON)
    cover = "<div role=dialog aria-label=Consent style='position:fixed;inset:0;background:#fff'>Cookies</div>"
    await agent.open(site.page("/", f"<iframe src='{site.url('/frame', host='localhost')}'></iframe>{cover}"))
    assert await agent.fails("computer", action="left_click", ref=await agent.ref("button Press")) == "element_covered"


async def test_open_and_closed_shadow_roots_are_read_and_hit(agent: Agent, site: Site) -> None:
    body = """<div id=open></div><div id=closed></div><script>
      for (const mode of ["open", "closed"]) {
        const root = document.getElementById(mode).attachShadow({mode});
        root.innerHTML = `<button>In ${mode}</button>`;
        root.firstChild.onclick = event => { event.target.textContent = `Hit ${mode}` };
      }
    </script>"""
    await agent.open(site.page("/", body))
    for mode in ("open", "closed"):
        await agent.click(await agent.ref(f"button In {mode}"))
        assert f"Hit {mode}" in await agent.outline()


async def test_text_is_typed_into_a_field_of_a_frame(agent: Agent, site: Site) -> None:
    site.page("/frame", "<label>Card <input oninput='document.title = this.value'></label>")
    await agent.open(site.page("/", f"<iframe src='{site.url('/frame', host='localhost')}'></iframe>"))
    ref = await agent.ref("textbox Card")
    await agent.call("computer", action="type", ref=ref, text="4111 1111")
    assert "= 4111 1111" in await agent.outline()
    await agent.call("form_input", ref=ref, value="changed")
    assert "= changed" in await agent.outline()
