"""get_page_text: what a person reads on the page."""

from __future__ import annotations

from typing import Annotated

import msgspec

from freehold.browser.marks import ADDRESS, block, boundary, short
from freehold.browser.session import Session
from freehold.browser.tab import TOP_FRAME, FrameAnswer
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class GetPageText(Arguments, frozen=True):
    """Which tab, and how much of it."""

    tabId: int | None = None
    max_chars: Annotated[int, msgspec.Meta(ge=1)] = 40_000


async def run(session: Session, arguments: GetPageText) -> ToolResult:
    """Return the text of the page and, after it, of its frames."""
    tab = await session.tab(arguments.tabId)
    answer = await tab.page("text")
    read = sorted((frame for frame in answer.frames if frame.result), key=lambda frame: frame.frame_id != TOP_FRAME)
    left, parts, texts = arguments.max_chars, list[str](), list[str]()
    for frame in read:
        text: str = frame.result.get("text", "").strip()
        kept = text[: max(left, 0)]
        left -= len(text)
        if kept or frame.frame_id == TOP_FRAME:
            parts.append(_said(frame, kept))
            texts.append(kept)
    over = max(0, -left)
    tail = f"\n{over} more characters: raise max_chars, or read_page with a ref." if over else ""
    title = read[0].result.get("title", "") if read else ""
    data = {"text": "\n\n".join(filter(None, texts)), "left_out": over, "title": title}
    return ToolResult("\n".join(parts) + tail, data=data)


def _said(frame: FrameAnswer, text: str) -> str:
    """Each frame has a boundary of its own, so that none can speak for another."""
    url = short(frame.result.get("url", ""), ADDRESS)
    if frame.frame_id == TOP_FRAME:
        return boundary("page", f"{short(frame.result.get('title', ''))} | {url}\n{block(text)}")
    return boundary("frame", f"{url}\n{block(text)}")


TOOL = Tool(
    name="get_page_text",
    description="The page's readable text, main content first. For articles; read_page for controls.",
    arguments=GetPageText,
    handler=run,
    read_only=True,
)
