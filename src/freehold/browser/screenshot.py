"""Screenshots at CSS scale: a coordinate read off the picture is the coordinate to click."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from freehold.browser.tab import Tab
from freehold.errors import UsageError

LONGEST = 2000
"""Longest side of a picture, pixels: hosts scale larger ones down, and then coordinates no longer fit."""

_ZOOM_LIMIT = 4.0
_JPEG_QUALITY = 80


@dataclass(frozen=True, slots=True)
class Viewport:
    """The visible part of the page: size and scroll offset in CSS pixels.

    `ratio` is device pixels to a CSS pixel; `zoom` is the user's zoom of the page, a part of it.
    """

    width: float
    height: float
    left: float
    top: float
    ratio: float
    zoom: float

    @property
    def scale(self) -> float:
        """Picture pixels to a CSS pixel: 1 unless the viewport is larger than a picture may be."""
        return min(1.0, LONGEST / max(self.width, self.height, 1))


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture and its size in pixels."""

    data: bytes
    mime_type: str
    width: int
    height: int


async def viewport(tab: Tab) -> Viewport:
    """Measure the tab's viewport as it is now (the debugger's bar takes height from it once attached)."""
    metrics = await tab.send("Page.getLayoutMetrics")
    visible, layout = metrics["cssVisualViewport"], metrics["cssLayoutViewport"]
    device = metrics.get("layoutViewport", layout)
    ratio = device["clientWidth"] / layout["clientWidth"] if layout["clientWidth"] else 1.0
    size, offset = (layout["clientWidth"], layout["clientHeight"]), (visible["pageX"], visible["pageY"])
    return Viewport(*size, *offset, ratio or 1.0, visible["zoom"])


async def capture(tab: Tab, *, png: bool = False) -> Picture:
    """Take the visible part of the page."""
    seen = await viewport(tab)
    return await _take(tab, seen, (0, 0, seen.width, seen.height), seen.scale, png=png)


async def zoom(tab: Tab, region: tuple[float, float, float, float]) -> Picture:
    """Take a region, given in the coordinates of a screenshot, enlarged up to four times."""
    seen = await viewport(tab)
    left, top, right, bottom = (edge / seen.scale for edge in region)
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, seen.width), min(bottom, seen.height)
    if right - left < 1 or bottom - top < 1:
        size = f"{seen.width * seen.scale:.0f}x{seen.height * seen.scale:.0f}"
        message = f"The region is empty. Give [x0, y0, x1, y1] with x0 < x1 and y0 < y1, inside {size}."
        raise UsageError("invalid_argument", message)
    enlarged = min(_ZOOM_LIMIT, LONGEST / max(right - left, bottom - top))
    return await _take(tab, seen, (left, top, right - left, bottom - top), enlarged, png=True)


async def _take(
    tab: Tab, seen: Viewport, box: tuple[float, float, float, float], scale: float, *, png: bool
) -> Picture:
    left, top, width, height = box
    # A clip is given in coordinates of the page, not of the viewport, as the user's zoom has enlarged them; the picture
    # is then multiplied by the device's pixel ratio.
    x, y = (seen.left + left) * seen.zoom, (seen.top + top) * seen.zoom
    size = {"width": width * seen.zoom, "height": height * seen.zoom}
    clip = {"x": x, "y": y, **size, "scale": scale / seen.ratio}
    encoding = {"format": "png"} if png else {"format": "jpeg", "quality": _JPEG_QUALITY}
    answer = await tab.send("Page.captureScreenshot", {**encoding, "clip": clip, "captureBeyondViewport": False})
    kind = "image/png" if png else "image/jpeg"
    return Picture(base64.b64decode(answer["data"]), kind, round(width * scale), round(height * scale))
