"""Fill in a form of every kind of field and hold what the server received against what was meant."""

from __future__ import annotations

from collections.abc import Mapping

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import Visit

_NAME = "Zoë Ångström-O’Neill"  # noqa: RUF001 - the apostrophe people type
_EMAIL = "zoe@example.org"
_MESSAGE = "سلام! می‌خواهم میز کنار پنجره باشد 🍽️👨‍👩‍👧\nMerci, 谢谢, дякую"
_NOTE = "Happy birthday, Noor! 🎂"

_FIELDS: tuple[tuple[str, str, str | bool], ...] = (
    ("textbox", "Full name", _NAME),
    ("textbox", "Email", _EMAIL),
    ("textbox", "Date", "2027-03-14"),
    ("combobox", "Guests", "Four"),
    ("radio", "On the quay", True),
    ("checkbox", "A high chair", True),
    ("checkbox", "Send me the newsletter", False),
    ("textbox", "Note for the card", _NOTE),
)
# A form's line ends travel as CR LF (HTML, 4.10.22.4 "Constructing the entry list").
_ARRIVES = {
    "name": _NAME,
    "email": _EMAIL,
    "date": "2027-03-14",
    "guests": "4",
    "seat": "quay",
    "highchair": "yes",
    "message": _MESSAGE.replace("\n", "\r\n"),
    "note": _NOTE,
}


async def _fill(visit: Visit) -> None:
    await visit.open("/form")
    outline = await visit.read("interactive")
    for role, name, value in _FIELDS:
        await visit.call("form_input", ref=visit.known(outline.ref(role, name), f"the field {name!r}"), value=value)
    message = visit.known(outline.ref("textbox", "Message to the kitchen"), "the field for the message")
    await visit.call("computer", action="type", ref=message, text=_MESSAGE)
    await visit.picture("The form, filled in by refs; the message was typed key by key.")
    await visit.click(outline.ref("button", "Book the table"), "the button that sends the form")
    received = await visit.received("/form")
    visit.check("The form reached the server once", got=len(received), expected=1)
    fields: Mapping[str, str] = received[0].fields if received else {}
    for field, value in _ARRIVES.items():
        visit.check(f"“{field}” arrived as it was meant", got=fields.get(field, "(nothing)"), expected=value)
    visit.check("The newsletter was declined", got=fields.get("newsletter", "declined"), expected="declined")
    await visit.picture("What the server says it received.")


FILL = Step(
    "Fill in a form and send it",
    "Text, email, date, list, radio button, checkboxes, text area and a rich text field, in several scripts.",
    _fill,
)
