"""Press buttons inside shadow roots."""

from __future__ import annotations

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import Visit


async def _take(visit: Visit) -> None:
    await visit.open("/drawers")
    outline = await visit.read()
    await visit.click(outline.ref("button", "Take the brass key"), "the button in the open shadow root")
    await visit.click(outline.ref("button", "Take the silver key"), "the button in the closed shadow root")
    received = await visit.received("/keys", 2)
    visit.check("Both keys were taken", got=[one.fields.get("root") for one in received], expected=["open", "closed"])
    await visit.picture("Both drawers are empty.")


TAKE = Step(
    "Look into open and closed shadow roots",
    "Web components hide their insides from the page's own scripts. People see them, so the agent has to as well.",
    _take,
)
