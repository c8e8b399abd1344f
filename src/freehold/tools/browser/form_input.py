"""form_input: set the value of a field."""

from __future__ import annotations

from typing import Any

from freehold.browser import fields, refs
from freehold.browser.action import perform
from freehold.browser.marks import short
from freehold.browser.session import Session
from freehold.browser.waits import Watch
from freehold.tools.browser.answer import of_outcome
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class FormInput(Arguments, frozen=True):
    """The field and its value."""

    ref: str
    value: str | bool | int | float | list[str]
    tabId: int | None = None


async def run(session: Session, arguments: FormInput) -> ToolResult:
    """Set the field and say what it now holds."""
    tab = await session.tab(arguments.tabId)
    ref = refs.parse(arguments.ref)
    stands: dict[str, Any] = {}

    async def act(watch: Watch) -> None:
        stands.update(await fields.fill(tab, watch, ref, arguments.value))

    async with session.acting(tab):
        outcome = await perform(tab, act)
    field = f"[ref_{ref}] {stands.get('role', 'field')} {short(stands.get('name', ''))}".rstrip()
    said = of_outcome(f"{field} = {short(fields.written(stands.get('value')), 4_000)}", outcome)
    return ToolResult(said.text, data={**said.data, "value": stands.get("value")})


TOOL = Tool(
    name="form_input",
    description=(
        "Set a field by ref: text, date (2026-01-31), option label(s), true/false for a checkbox, file path(s)."
    ),
    arguments=FormInput,
    handler=run,
)
