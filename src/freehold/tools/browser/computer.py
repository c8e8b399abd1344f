"""computer: mouse, keyboard, scrolling and screenshots."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

import anyio
import msgspec

from freehold.browser import keyboard, keys, pointer, refs, screenshot
from freehold.browser.action import perform
from freehold.browser.pointer import Target
from freehold.browser.session import Session
from freehold.browser.tab import Tab
from freehold.browser.waits import Watch
from freehold.errors import UsageError
from freehold.tools.browser import picture
from freehold.tools.browser.answer import of_outcome
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool

_TICK = 100
"""CSS pixels a turn of the wheel, as a mouse on Linux turns it."""

_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}

Action = Literal[
    "left_click", "right_click", "double_click", "triple_click", "hover", "drag", "type", "key", "scroll", "scroll_to",
    "wait", "screenshot", "zoom",
]  # fmt: skip
Point = Annotated[list[float], msgspec.Meta(min_length=2, max_length=2)]


class Computer(Arguments, frozen=True):
    """One action and what it needs."""

    action: Action
    tabId: int | None = None
    ref: str | None = None
    coordinate: Point | None = None
    text: Annotated[str | None, msgspec.Meta(description="to type, or keys: Enter, ctrl+a")] = None
    modifiers: Annotated[str | None, msgspec.Meta(description="for clicks: ctrl+shift")] = None
    start_ref: str | None = None
    start_coordinate: Point | None = None
    scroll_direction: Literal["up", "down", "left", "right"] = "down"
    scroll_amount: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    repeat: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    duration: Annotated[float, msgspec.Meta(ge=0, le=30, description="seconds to wait")] = 1.0
    region: Annotated[list[float], msgspec.Meta(min_length=4, max_length=4, description="x0,y0,x1,y1")] | None = None
    save_to_disk: bool = False


async def run(session: Session, arguments: Computer) -> ToolResult:
    """Run one action on the tab."""
    tab = await session.tab(arguments.tabId)
    if arguments.action in _PICTURES:
        return await _PICTURES[arguments.action](tab, arguments)
    if arguments.action == "wait":
        await anyio.sleep(arguments.duration)
        return ToolResult(f"Waited {arguments.duration:g} s.")
    async with session.acting(tab):
        return await _ACTIONS[arguments.action](tab, arguments)


async def _target(tab: Tab, ref: str | None, coordinate: list[float] | None, *, check: bool = True) -> Target:
    if ref is not None:
        return await pointer.target_of_ref(tab, refs.parse(ref), check=check)
    if coordinate is None:
        raise UsageError("invalid_argument", "This action needs a ref (from read_page or find) or a coordinate [x, y].")
    seen = await screenshot.viewport(tab)
    x, y = coordinate[0] / seen.scale, coordinate[1] / seen.scale
    if not (0 <= x < seen.width and 0 <= y < seen.height):
        size = f"{seen.width * seen.scale:.0f}x{seen.height * seen.scale:.0f}"
        message = (
            f"({coordinate[0]:g}, {coordinate[1]:g}) is outside the picture of {size}. Scroll first, or act by ref."
        )
        raise UsageError("invalid_argument", message)
    return Target(x, y)


async def _click(tab: Tab, arguments: Computer, *, button: str = "left", count: int = 1) -> ToolResult:
    bits = keys.held(arguments.modifiers or "")
    target = await _target(tab, arguments.ref, arguments.coordinate)

    async def act(_: Watch) -> None:
        await pointer.click(tab, target, button=button, count=count, modifiers=bits)

    outcome = await perform(tab, act, frame_id=target.frame_id, before=target.state)
    return of_outcome(f"{arguments.action.replace('_', ' ').capitalize()} on {target.describe()}.", outcome)


async def _right_click(tab: Tab, arguments: Computer) -> ToolResult:
    return await _click(tab, arguments, button="right")


async def _double_click(tab: Tab, arguments: Computer) -> ToolResult:
    return await _click(tab, arguments, count=2)


async def _triple_click(tab: Tab, arguments: Computer) -> ToolResult:
    return await _click(tab, arguments, count=3)


async def _hover(tab: Tab, arguments: Computer) -> ToolResult:
    target = await _target(tab, arguments.ref, arguments.coordinate)

    async def act(_: Watch) -> None:
        await pointer.hover(tab, target)

    outcome = await perform(tab, act, frame_id=target.frame_id, before=target.state)
    return of_outcome(f"Hovering over {target.describe()}.", outcome)


async def _drag(tab: Tab, arguments: Computer) -> ToolResult:
    if arguments.start_ref is None and arguments.start_coordinate is None:
        raise UsageError(
            "invalid_argument", "drag needs start_ref or start_coordinate, and ref or coordinate as its end."
        )
    # The end first: finding the start may scroll, and the press has to come where the start then is.
    await _target(tab, arguments.ref, arguments.coordinate, check=False)
    start = await _target(tab, arguments.start_ref, arguments.start_coordinate)
    end = await _target(tab, arguments.ref, arguments.coordinate, check=False)

    async def act(watch: Watch) -> None:
        await pointer.drag(tab, watch, start, end)

    outcome = await perform(tab, act, frame_id=start.frame_id)
    return of_outcome(f"Dragged {start.describe()} to {end.describe()}.", outcome)


async def _type(tab: Tab, arguments: Computer) -> ToolResult:
    if not arguments.text:
        raise UsageError("invalid_argument", "type needs text. For single keys use action key.")
    target = await _target(tab, arguments.ref, arguments.coordinate) if arguments.ref or arguments.coordinate else None

    async def act(_: Watch) -> None:
        if target:
            await pointer.click(tab, target)
        await keyboard.type_text(tab, arguments.text or "")

    outcome = await perform(tab, act)
    where = f" into {target.describe()}" if target else ""
    count = f"{len(arguments.text)} characters{where}"
    if outcome.stopped:
        return of_outcome(f"Typing {count} was stopped by a dialog; look at the field once that is answered.", outcome)
    return of_outcome(f"Typed {count}.", outcome)


async def _key(tab: Tab, arguments: Computer) -> ToolResult:
    if not arguments.text:
        raise UsageError("invalid_argument", "key needs text: key names such as Enter, Tab, ctrl+a or ArrowDown.")
    if arguments.ref:
        await refs.ask(tab, refs.parse(arguments.ref), "focus")

    async def act(_: Watch) -> None:
        await keyboard.press(tab, arguments.text or "", repeat=arguments.repeat)

    outcome = await perform(tab, act)
    return of_outcome(f"Pressed {arguments.text}.", outcome)


async def _scroll(tab: Tab, arguments: Computer) -> ToolResult:
    across, down = _DIRECTIONS[arguments.scroll_direction]
    if arguments.ref or arguments.coordinate:
        target = await _target(tab, arguments.ref, arguments.coordinate, check=False)
    else:
        seen = await screenshot.viewport(tab)
        target = Target(seen.width / 2, seen.height / 2)
    distance = _TICK * arguments.scroll_amount

    async def act(_: Watch) -> None:
        await pointer.wheel(tab, target, across * distance, down * distance)

    outcome = await perform(tab, act)
    at = await tab.ask("scrollPosition", None)
    place = f"{at['scrollX']:.0f},{at['scrollY']:.0f} of {at['maxX']:.0f},{at['maxY']:.0f}"
    return of_outcome(f"Scrolled {arguments.scroll_direction}. Page at {place}.", outcome)


async def _scroll_to(tab: Tab, arguments: Computer) -> ToolResult:
    if arguments.ref is None:
        raise UsageError("invalid_argument", "scroll_to needs a ref.")
    target = await pointer.target_of_ref(tab, refs.parse(arguments.ref), check=False)
    return ToolResult(f"{target.describe()} is in view.", data={"x": target.x, "y": target.y})


async def _screenshot(tab: Tab, arguments: Computer) -> ToolResult:
    return picture.result(await screenshot.capture(tab), save=arguments.save_to_disk)


async def _zoom(tab: Tab, arguments: Computer) -> ToolResult:
    if arguments.region is None:
        raise UsageError("invalid_argument", "zoom needs region [x0, y0, x1, y1] in the coordinates of a screenshot.")
    left, top, right, bottom = arguments.region
    return picture.result(await screenshot.zoom(tab, (left, top, right, bottom)), save=arguments.save_to_disk)


_PICTURES: dict[str, Callable[[Tab, Computer], Awaitable[ToolResult]]] = {"screenshot": _screenshot, "zoom": _zoom}
_ACTIONS: dict[str, Callable[[Tab, Any], Awaitable[ToolResult]]] = {
    "left_click": _click,
    "right_click": _right_click,
    "double_click": _double_click,
    "triple_click": _triple_click,
    "hover": _hover,
    "drag": _drag,
    "type": _type,
    "key": _key,
    "scroll": _scroll,
    "scroll_to": _scroll_to,
}

TOOL = Tool(
    name="computer",
    description=(
        "Real mouse, keyboard and screenshots. Act by ref where you can; coordinates are those of a screenshot."
    ),
    arguments=Computer,
    handler=run,
    destructive=True,
)
