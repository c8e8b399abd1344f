"""read_page: the page as an accessibility outline with refs."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from freehold.browser import refs
from freehold.browser.marks import boundary
from freehold.browser.outline import DEFAULT_MAX_TOKENS, render
from freehold.browser.session import Session
from freehold.browser.snapshot import from_frames
from freehold.tools.browser.answer import left_out
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class ReadPage(Arguments, frozen=True):
    """Which part of the page, and how much of it."""

    tabId: int | None = None
    filter: Annotated[Literal["interactive", "all"], msgspec.Meta(description="interactive: controls only")] = "all"
    depth: Annotated[int, msgspec.Meta(ge=1)] | None = None
    ref: Annotated[str | None, msgspec.Meta(description="only this element's part")] = None
    max_tokens: Annotated[int, msgspec.Meta(ge=200)] = DEFAULT_MAX_TOKENS
    start: Annotated[int, msgspec.Meta(ge=1, description="first line, to go on after a cut")] = 1
    urls: Annotated[bool, msgspec.Meta(description="show links' targets")] = False


async def run(session: Session, arguments: ReadPage) -> ToolResult:
    """Read every frame of the tab and render the outline."""
    tab = await session.tab(arguments.tabId)
    ref = refs.parse(arguments.ref) if arguments.ref else None
    answer = await tab.read(ref)
    snapshot = from_frames(answer["frames"])
    limit, start = arguments.max_tokens, arguments.start
    outline = render(snapshot, arguments.filter, arguments.depth, ref, limit, urls=arguments.urls, start=start)
    data = {"url": snapshot.url, "title": snapshot.title, "tokens": outline.tokens, "left_out": outline.left_out}
    said = boundary("page", outline.text) + left_out(answer)
    return ToolResult(said, data={**data, "outline": outline.text})


TOOL = Tool(
    name="read_page",
    description="The page as an outline: one line an element, [ref_N] names it for the other tools.",
    arguments=ReadPage,
    handler=run,
    read_only=True,
)
