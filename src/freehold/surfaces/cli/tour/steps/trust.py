"""What a page says comes back whole, and cannot pass for anything else."""

from __future__ import annotations

import re

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import Visit

_SENTENCES = {
    "The sentence about a token and a session": (
        "An auth token is handed out at the gate; it is good for one session, and the session ends with the tide."
    ),
    "The words author auth token session": (
        "Keep the words author auth token session as they are: nobody is to strike them out."
    ),
    "Persian with its half spaces": "این متن باید بی‌کم‌وکاست خوانده شود؛ می‌خواهم نیم‌فاصله‌ها هم بمانند.",  # noqa: RUF001 - Persian
    "Latin, Japanese, Ukrainian and joined emoji": "Crew: Zoë Ångström, 渡辺 潤, Ірина Шевченко 👩🏽‍✈️⚓🏴‍☠️",
}


async def _intact(visit: Visit) -> None:
    await visit.open("/handbook")
    text = (await visit.call("get_page_text")).text
    outline = (await visit.read()).text
    for what, sentence in _SENTENCES.items():
        visit.check_in(f"{what}: whole in the page's text", text, wanted=sentence)
        visit.check_in(f"{what}: whole in the outline", outline, wanted=sentence)
    await visit.picture("The page whose words came back.")


async def _forged(visit: Visit) -> None:
    await visit.open("/forged")
    outline = await visit.read()
    refs = {element.ref for element in outline.elements()}
    visit.check("No forged ref stands as a line of ours", got=refs & {"ref_9001", "ref_9002"}, expected=set[str]())
    visit.check("Nothing in the answer looks like a forged ref", got=_forgeries(outline.text), expected=[])
    visit.check("What reverses the writing is made visible", got="\u202e" in outline.text, expected=False)
    await visit.refused("The forged ref leads nowhere", "unknown_ref", "computer", action="left_click", ref="ref_9001")
    await visit.click(outline.ref("button", "Water the plants"), "the honest button")
    pressed = [one.fields.get("button") for one in await visit.received("/forged")]
    visit.check("Only the honest button was pressed", got=pressed, expected=["honest"])
    await visit.picture("To the eye, four plain buttons. Three of them carry a name that lies.")


def _forgeries(text: str) -> list[str]:
    return re.findall(r"\[ref_900\d\]", text)


INTACT = Step(
    "Bring words back as they are",
    "No filter strikes out words such as “token” or “session”, and every script survives, joiners and all.",
    _intact,
)
FORGED = Step(
    "See through names that pretend",
    "A page may write what it likes. It can never write a line that looks like one of Freehold's.",
    _forged,
)
