"""get_page_text: what a person reads on the page."""

from __future__ import annotations

from typing import Annotated

import msgspec

from freehold.browser.marks import block, boundary, one_line
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
    frames, _ = await tab.page("text")
    read = sorted((frame for frame in frames if frame.result), key=lambda frame: frame.frame_id != TOP_FRAME)
    text = "\n\n".join(part for part in map(_of_frame, read) if part)
    kept = text[: arguments.max_chars]
    top: dict[str, str] = read[0].result if read else {}
    head = f"{one_line(top.get('title', ''))} | {one_line(top.get('url', ''))}"
    left = len(text) - len(kept)
    tail = f"\n{left} more characters: raise max_chars, or read_page with a ref." if left else ""
    said = boundary("page", f"{head}\n{block(kept)}")
    return ToolResult(f"{said}{tail}", data={"text": kept, "left_out": left, "title": top.get("title", "")})


def _of_frame(frame: FrameAnswer) -> str:
    text: str = frame.result.get("text", "").strip()
    if frame.frame_id == TOP_FRAME or not text:
        return text
    return f"Frame {frame.result.get('url', '')}\n{text}"


TOOL = Tool(
    name="get_page_text",
    description="The page's readable text, main content first. For articles; read_page for controls.",
    arguments=GetPageText,
    handler=run,
    read_only=True,
)
