"""Search the shop, and tell nine buttons with one name apart."""

from __future__ import annotations

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import Visit

_BUTTON = "Add to basket"


async def _search(visit: Visit) -> None:
    await visit.open("/shop")
    box = await visit.find("search box")
    await visit.call("computer", action="left_click", ref=box)
    await visit.call("computer", action="type", text="tea")
    await visit.call("computer", action="key", text="Enter")
    # The first request was the visit itself.
    searches = await visit.received("/shop", 2, method="GET")
    visit.check("The server was asked for “tea”", got=searches[-1].fields.get("q", "(nothing)"), expected="tea")
    shown = [element for element in (await visit.read()).elements() if element.name == _BUTTON]
    visit.check("Two goods are left", got=len(shown), expected=2)
    await visit.picture("What is left of the shop after searching for tea.")


async def _choose(visit: Visit) -> None:
    await visit.open("/shop")
    outline = await visit.read()
    lantern = outline.ref("button", _BUTTON, after="Storm lantern")
    candles = visit.known(outline.ref("button", _BUTTON, after="Beeswax candles"), "the button for the candles")
    await visit.click(lantern, "the button for the lantern")
    received = await visit.received("/basket")
    goods = [one.fields.get("good") for one in received]
    visit.check("Of nine buttons with one name, the lantern's was pressed", got=goods, expected=["Storm lantern"])
    await visit.click(candles, "the button for the candles")
    goods = [one.fields.get("good") for one in await visit.received("/basket", 2)]
    visit.check(
        "A ref from before the page grew still means the same button",
        got=goods,
        expected=["Storm lantern", "Beeswax candles"],
    )
    await visit.picture("The basket after both: the notices above have moved everything down.")


SEARCH = Step(
    "Search the shop",
    "One question finds the search box. The words are typed, and Enter is pressed, as a person would.",
    _search,
)
CHOOSE = Step(
    "Tell nine buttons with the same name apart",
    "The outline says which card each button belongs to, and its ref holds while the page moves under it.",
    _choose,
)
