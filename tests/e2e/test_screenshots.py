from __future__ import annotations

import struct
from pathlib import Path

import pytest

from freehold.browser.launch import LaunchedBrowser
from tests.e2e.agent import Agent
from tests.e2e.popup import zoom_tab
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio


async def test_a_coordinate_read_off_the_picture_is_the_one_to_click(agent: Agent, site: Site) -> None:
    style = "position:fixed;left:300px;top:200px"
    body = f"<body style='margin:0;height:4000px'><button style='{style}' onclick='document.title=`hit`'>B</button>"
    await agent.open(site.page("/", body))
    await agent.value("scrollTo(0, 700), 0")
    shot = await agent.call("computer", action="screenshot")
    width, height = _size(shot.images[0].data)
    assert (width, height) == (shot.data["width"], shot.data["height"])
    root = "document.documentElement"
    assert await agent.value(f"[{root}.clientWidth, {root}.clientHeight]") == [width, height]
    await agent.call("computer", action="left_click", coordinate=[308, 208])
    assert await agent.value("document.title") == "hit"


@pytest.mark.parametrize("ratio", [1, 2])
async def test_a_window_larger_than_a_picture_is_taken_smaller_and_its_coordinates_still_hit(
    agent: Agent, chromium: LaunchedBrowser, site: Site, ratio: int
) -> None:
    style = "position:fixed;left:2400px;top:1300px;width:60px;height:60px"
    url = site.page("/", f"<body style='margin:0'><button style='{style}' onclick='document.title=`hit`'>B</button>")
    await agent.open(url)
    targets = (await chromium.devtools.call("Target.getTargets"))["targetInfos"]
    (page,) = [each["targetId"] for each in targets if each["url"] == url]
    session = (await chromium.devtools.call("Target.attachToTarget", targetId=page, flatten=True))["sessionId"]
    screen = {"width": 2600, "height": 1500, "deviceScaleFactor": ratio, "mobile": False}
    await chromium.devtools.call("Emulation.setDeviceMetricsOverride", session=session, **screen)
    shot = await agent.call("computer", action="screenshot")
    assert _size(shot.images[0].data) == (2000, 1154)
    await agent.call("computer", action="left_click", coordinate=[round(2430 / 1.3), round(1330 / 1.3)])
    assert await agent.value("document.title") == "hit"


@pytest.mark.parametrize("factor", [1.5, 0.5])
async def test_the_users_zoom_moves_no_coordinate(
    agent: Agent, chromium: LaunchedBrowser, site: Site, factor: float
) -> None:
    style = "position:fixed;right:10px;bottom:10px;width:40px;height:40px;background:#f00;border:0"
    tab = await agent.open(site.page("/", f"<button style='{style}' onclick='document.title=`hit`'></button>"))
    await zoom_tab(chromium, tab, factor)
    while await agent.value("devicePixelRatio") != factor:
        pass
    shot = await agent.call("computer", action="screenshot")
    width, height = _size(shot.images[0].data)
    assert (width, height) == (shot.data["width"], shot.data["height"])
    scale = width / await agent.value("innerWidth")
    assert height == pytest.approx(await agent.value("innerHeight") * scale, abs=1)
    corner = [width - 30 * scale, height - 30 * scale]
    part = (await agent.call("computer", action="zoom", region=[edge - 10 for edge in corner] + corner)).images[0]
    white = (await agent.call("computer", action="zoom", region=[0, 0, 10, 10])).images[0]
    assert _size(part.data) == _size(white.data)
    assert part.data != white.data
    await agent.call("computer", action="left_click", coordinate=corner)
    assert await agent.value("document.title") == "hit"


async def test_a_picture_shows_what_is_in_view_after_scrolling(agent: Agent, site: Site) -> None:
    halves = "".join(f"<div style='height:2000px;background:{colour}'></div>" for colour in ("#f00", "#00f"))
    await agent.open(site.page("/", f"<body style='margin:0'>{halves}"))
    await agent.value("scrollTo(0, 2500), 0")
    zoomed = await agent.call("computer", action="zoom", region=[0, 0, 100, 100])
    image = zoomed.images[0]
    assert image.mime_type == "image/png"
    assert _size(image.data) == (400, 400)


async def test_a_screenshot_is_saved_where_only_the_user_can_read_it(agent: Agent, site: Site, home: Path) -> None:
    await agent.open(site.page("/", "<p>here"))
    shot = await agent.call("computer", action="screenshot", save_to_disk=True)
    file = Path(shot.data["path"])
    assert file.is_relative_to(home)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_bytes() == shot.images[0].data


async def test_a_point_outside_the_picture_is_refused(agent: Agent, site: Site) -> None:
    await agent.open(site.page("/", "<p>here"))
    assert await agent.fails("computer", action="left_click", coordinate=[9000, 10]) == "invalid_argument"
    assert await agent.fails("computer", action="zoom", region=[10, 10, 10, 10]) == "invalid_argument"


def _size(data: bytes) -> tuple[int, int]:
    """Read width and height from the header of a PNG (IHDR) or JPEG (SOF)."""
    if data.startswith(b"\x89PNG"):
        return struct.unpack(">II", data[16:24])
    at = 2
    while data[at + 1] not in {0xC0, 0xC1, 0xC2}:
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    height, width = struct.unpack(">HH", data[at + 5 : at + 9])
    return width, height
