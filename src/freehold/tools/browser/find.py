"""find: the elements that a description fits best."""

from __future__ import annotations

from typing import Any

from freehold.browser.choice import Choice, choose
from freehold.browser.marks import boundary, one_line, short, shown_text
from freehold.browser.session import Session
from freehold.browser.snapshot import from_frames
from freehold.model.completer import Completer
from freehold.tools.browser.answer import left_out
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class Find(Arguments, frozen=True):
    """The description of what is looked for."""

    query: str
    tabId: int | None = None


async def run(session: Session, arguments: Find, completer: Completer | None = None) -> ToolResult:
    """Rank the page's elements against the query, and let the model choose where there is one."""
    tab = await session.tab(arguments.tabId)
    answer = await tab.read()
    choice = await choose(from_frames(answer["frames"]), arguments.query, completer)
    data = _data(choice)
    if not choice.candidates:
        said = f'Nothing on the page fits "{one_line(arguments.query)}". Use other words, or read_page.'
        return ToolResult(f"{said}\n{_said_by(choice)}{left_out(answer)}", data=data)
    lines = [f"[ref_{each.ref}] {each.role} {shown_text(each.name, 300)} ({each.why})" for each in choice.candidates]
    bounded = boundary("page", "\n".join(lines))
    return ToolResult(f"{bounded}\n{_said_by(choice)}{left_out(answer)}", data=data)


def _data(choice: Choice) -> dict[str, Any]:
    found = [{"ref": each.ref, "role": each.role, "name": each.name, "why": each.why} for each in choice.candidates]
    data: dict[str, Any] = {"candidates": found, "ranked_by": "model" if choice.model else "words"}
    if choice.model:
        data["model"] = {
            "name": choice.model,
            "input_tokens": choice.input_tokens,
            "output_tokens": choice.output_tokens,
        }
    if choice.fault:
        data["model_fault"] = choice.fault
    return data


def _said_by(choice: Choice) -> str:
    if choice.model:
        return f"Chosen by {short(choice.model, 80)}."
    if choice.fault:
        return f"Ranked by words: the model did not help ({choice.fault}: {short(choice.reason, 200)})"
    return "Ranked by words, without a model."


TOOL = Tool(
    name="find",
    description="Find elements by description, as in: delete button in the row of invoice 42. Best first, with refs.",
    arguments=Find,
    handler=run,
    read_only=True,
    uses_model=True,
)
