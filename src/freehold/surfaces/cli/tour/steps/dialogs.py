"""Answer an alert, a confirmation and a prompt."""

from __future__ import annotations

from typing import Any

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import Visit

_BOAT = "Ærlig Måke 🐦"


async def _answer(visit: Visit) -> None:
    await visit.open("/dialogs")
    outline = await visit.read("interactive")
    told = await visit.click(outline.ref("button", "When does the ferry leave?"), "the button of the alert")
    visit.check("The click returns with the alert's words", got=_words(told.data), expected="The ferry leaves at six.")
    await visit.call("handle_dialog", accept=True)
    asked = await visit.click(outline.ref("button", "Cancel the booking"), "the button of the confirmation")
    visit.check("The question arrives", got=_words(asked.data), expected="Cancel the booking for two?")
    await visit.refused("Nothing else can be done meanwhile, and it says so", "dialog_open", "read_page")
    await visit.call("handle_dialog", accept=False)
    await visit.click(outline.ref("button", "Name the boat"), "the button of the prompt")
    await visit.call("handle_dialog", accept=True, text=_BOAT)
    received = await visit.received("/dialogs", 3)
    visit.check(
        "The page got each answer as it was given",
        got=[(one.fields.get("kind"), one.fields.get("answer")) for one in received],
        expected=[("alert", "seen"), ("confirm", "false"), ("prompt", _BOAT)],
    )
    await visit.picture("All three questions are answered.")


def _words(data: dict[str, Any]) -> str:
    dialog: dict[str, Any] = data.get("dialog") or {}
    return dialog.get("message", "(no dialog)")


ANSWER = Step(
    "Answer an alert, a confirmation and a prompt",
    "A dialog makes a page stand still. The call that opened it returns at once, with its words and how to answer.",
    _answer,
)
