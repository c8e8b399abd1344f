"""The pointer: from a ref or a coordinate to real mouse input, after checking what will be hit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from freehold.browser import refs
from freehold.browser.marks import short
from freehold.browser.tab import TOP_FRAME, Tab, TabState
from freehold.browser.waits import Watch
from freehold.errors import UsageError

_BUTTONS = {"left": 1, "right": 2, "middle": 4}
_DRAG_STEPS = 8

_CAST = {"format": "jpeg", "quality": 1, "maxWidth": 32, "maxHeight": 32}
_DRAW_MS = 1_000
"""How long a page is waited for that does not draw, milliseconds."""

_LOOKS = 5
"""How often a point in a frame is looked up again while something still scrolls."""


@dataclass(frozen=True, slots=True)
class Target:
    """A point to act on, in CSS pixels of the tab's viewport, and the element that stands there.

    `frame_id` is the frame of the element, `state` the tab as it was when the element was looked up.
    """

    x: float
    y: float
    frame_id: int = TOP_FRAME
    role: str = ""
    name: str = ""
    state: TabState | None = None

    def describe(self) -> str:
        """Name the element, or the point where no element is known."""
        return f"{self.role} {short(self.name)}".strip() or f"({self.x:.0f}, {self.y:.0f})"


async def target_of_ref(tab: Tab, ref: int, *, check: bool = True) -> Target:
    """Scroll the element into view and return a point of it that a click would reach.

    Raises `UsageError`: `element_not_visible`, or with `check` `element_covered` naming what is in the way.
    """
    owned = await refs.ask(tab, ref, "locate", {"scroll": True})
    if owned.result["visible"] and (owned.result["scrolled"] or owned.frame_id != TOP_FRAME):
        await _draw(tab, owned, ref)
        owned = await refs.ask(tab, ref, "locate", {"scroll": True})
    found = owned.result
    if not found["visible"]:
        what = f"ref_{ref} ({found['role']} {short(found['name'])})"
        message = f"{what} has no visible box. It may be in a closed menu or panel: open that first."
        raise UsageError("element_not_visible", message)
    if check and not found["hit"]:
        raise _covered(ref, found.get("cover"))
    point = await _to_top(tab, owned, check=check, ref=ref)
    return Target(*point, owned.frame_id, found["role"], found["name"], owned.state)


async def _draw(tab: Tab, owned: refs.Owned, ref: int) -> None:
    """Have the page drawn with the element where it now stands.

    The browser leads input to a frame of another process, and past the edge of the view, by what was drawn last; a
    hidden tab draws nothing unless a screencast asks for it.
    """
    await tab.send("Page.startScreencast", _CAST)
    try:
        await _carried(tab, owned, check=False, ref=ref)
        # The frame first: what it draws is shown, and can be hit, with the next drawing of the page around it.
        for frame_id in dict.fromkeys((owned.frame_id, TOP_FRAME)):
            await tab.ask("draw", {"limit_ms": _DRAW_MS}, frame_id=frame_id)
    finally:
        await tab.send("Page.stopScreencast")


async def _to_top(tab: Tab, owned: refs.Owned, *, check: bool, ref: int) -> tuple[float, float]:
    """Carry a point of a child frame up into the viewport of the tab, until it stands still.

    Scrolling an element into view scrolls the frames above too, but those of another process only some time later.
    """
    point = await _carried(tab, owned, check=False, ref=ref)
    for _ in range(_LOOKS if owned.frame_id != TOP_FRAME else 0):
        again = await _carried(tab, owned, check=check, ref=ref)
        if again == point:
            break
        point = again
    return point


async def _carried(tab: Tab, owned: refs.Owned, *, check: bool, ref: int) -> tuple[float, float]:
    frame_id, found = owned.frame_id, owned.result
    while frame_id != TOP_FRAME:
        frame_id = owned.parents[frame_id]
        found = await tab.ask("framePoint", found["index"], found["x"], found["y"], frame_id=frame_id)
        if not found or found["status"] != "ok":
            raise UsageError(
                "ref_navigated", f"The frame of ref_{ref} has gone. Call read_page on the page as it now is."
            )
        if check and not found["hit"]:
            raise _covered(ref, found.get("cover"))
    return found["x"], found["y"]


def _covered(ref: int, cover: dict[str, Any] | None) -> UsageError:
    what = "something outside the viewport"
    if cover:
        mark = f"[ref_{cover['ref']}] " if cover.get("ref") else ""
        what = f"{mark}{cover.get('role', '')} {short(cover.get('name', ''))}".strip()
    message = (
        f"ref_{ref} is covered by {what}, which would get the click. Close or scroll that away, or act on it instead."
    )
    return UsageError("element_covered", message, {"cover": cover})


def _mouse(kind: str, x: float, y: float, **more: Any) -> tuple[str, dict[str, Any]]:
    return "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more}


async def click(tab: Tab, target: Target, *, button: str = "left", count: int = 1, modifiers: int = 0) -> None:
    """Move to the point and click it `count` times, in one round trip."""
    commands = [_mouse("mouseMoved", target.x, target.y, modifiers=modifiers)]
    for number in range(1, count + 1):
        press = {"button": button, "clickCount": number, "modifiers": modifiers}
        commands.append(_mouse("mousePressed", target.x, target.y, buttons=_BUTTONS[button], **press))
        commands.append(_mouse("mouseReleased", target.x, target.y, buttons=0, **press))
    await tab.press(commands)


async def hover(tab: Tab, target: Target) -> None:
    """Move the pointer onto the point."""
    await tab.batch([_mouse("mouseMoved", target.x, target.y)])


async def drag(tab: Tab, watch: Watch, start: Target, end: Target) -> None:
    """Press at `start`, move to `end` and release there; pages follow the moves, not the jump.

    Where the page starts a drag of its own (HTML, "drag and drop"), the system would take the pointer over; the browser
    hands the dragged data to us instead, and the drop is dispatched with it.
    """
    await tab.send("Input.setInterceptDrags", {"enabled": True})
    try:
        await tab.batch(_pressed_moves(start, end))
        # Whether a drag has begun is known once the page has handled the moves; this answer comes after that.
        await tab.ask("activeElement")
        if watch.seen.dragged:
            await tab.batch([_dragged(kind, end, watch.seen.dragged) for kind in ("dragEnter", "dragOver", "drop")])
    finally:
        await tab.batch([_mouse("mouseReleased", end.x, end.y, clickCount=1, button="left", buttons=0)])
        await tab.send("Input.setInterceptDrags", {"enabled": False})


def _pressed_moves(start: Target, end: Target) -> list[tuple[str, dict[str, Any]]]:
    held: dict[str, Any] = {"button": "left", "buttons": 1}
    commands = [
        _mouse("mouseMoved", start.x, start.y),
        _mouse("mousePressed", start.x, start.y, clickCount=1, **held),
    ]
    for step in range(1, _DRAG_STEPS + 1):
        part = step / _DRAG_STEPS
        x, y = start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part
        commands.append(_mouse("mouseMoved", x, y, **held))
    return commands


def _dragged(kind: str, point: Target, data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "Input.dispatchDragEvent", {"type": kind, "x": point.x, "y": point.y, "data": data}


async def wheel(tab: Tab, target: Target, delta_x: float, delta_y: float) -> None:
    """Turn the wheel at the point, by CSS pixels."""
    await tab.batch([_mouse("mouseWheel", target.x, target.y, deltaX=delta_x, deltaY=delta_y)])
