"""find: the elements that a description fits best."""

from __future__ import annotations

from freehold.browser import find
from freehold.browser.marks import boundary, one_line, shown_text
from freehold.browser.session import Session
from freehold.browser.snapshot import from_frames
from freehold.tools.browser.answer import left_out
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class Find(Arguments, frozen=True):
    """The description of what is looked for."""

    query: str
    tabId: int | None = None


async def run(session: Session, arguments: Find) -> ToolResult:
    """Rank the page's elements against the query, without a model."""
    tab = await session.tab(arguments.tabId)
    answer = await tab.read()
    snapshot = from_frames(answer["frames"])
    candidates = find.rank(snapshot, arguments.query)
    found = [{"ref": each.ref, "role": each.role, "name": each.name, "why": each.why} for each in candidates]
    data = {"candidates": found}
    if not candidates:
        said = f'Nothing on the page fits "{one_line(arguments.query)}". Use other words, or read_page.'
        return ToolResult(said + left_out(answer), data=data)
    lines = [f"[ref_{each.ref}] {each.role} {shown_text(each.name, 300)} ({each.why})" for each in candidates]
    return ToolResult(boundary("page", "\n".join(lines)) + left_out(answer), data=data)


TOOL = Tool(
    name="find",
    description="Find elements by description, as in: delete button in the row of invoice 42. Best first, with refs.",
    arguments=Find,
    handler=run,
    read_only=True,
)
