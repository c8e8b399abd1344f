"""Open the site and read it."""

from __future__ import annotations

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import Visit

_LINKS = (
    "Open the form",
    "Open the shop",
    "Open the orders",
    "Open the deliveries",
    "Open the drawers",
    "Open the questions",
    "Open the chart",
    "Open the handbook",
    "Open the links",
    "Open the forger",
)


async def _open(visit: Visit) -> None:
    made = await visit.call("tabs_create")
    visit.place.tab_id = made.data["tab"]["tabId"]
    await visit.open("/")
    visit.check("The server was asked for the page", got=bool(await visit.received("/", method="GET")), expected=True)
    tabs = (await visit.call("tabs_context")).data["tabs"]
    visit.check("The session's one tab shows it", got=[tab["url"] for tab in tabs], expected=[f"{visit.site.origin}/"])
    await visit.picture("The first page of the site, in a tab of its own.")


async def _read(visit: Visit) -> None:
    await visit.open("/")
    outline = await visit.read("interactive")
    named = [name for name in _LINKS if outline.ref("link", name)]
    visit.check("All ten links of the page are in the outline, by name", got=named, expected=list(_LINKS))
    again = await visit.read("interactive")
    visit.check(
        "A second reading gives every element the same ref",
        got=list(again.elements()),
        expected=list(outline.elements()),
    )
    form = await visit.find("book a table form")
    await visit.click(form, "a link to the form")
    visit.check("What find named leads to the form", got=len(await visit.received("/form", method="GET")), expected=1)


OPEN = Step(
    "Open a tab and a page",
    "The agent works in a tab group of its own. Tabs outside it are out of its reach.",
    _open,
)
READ = Step(
    "Read a page as an outline",
    "Every element has a ref that stays its own for as long as the element lives. Nothing is guessed from pixels.",
    _read,
)
