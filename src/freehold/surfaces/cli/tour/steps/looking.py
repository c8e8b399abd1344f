"""Click what has no name: a coordinate read off a picture."""

from __future__ import annotations

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import StepStoppedError, Visit

_WHERE = """
(() => {
  const box = document.querySelector('[data-mark=treasure]').getBoundingClientRect();
  return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
})()
"""


async def _point(visit: Visit) -> None:
    await visit.open("/chart")
    await visit.picture("The chart as the agent sees it.")
    # A model reads the place off the picture; the tour has no eyes and asks the page instead.
    answer = await visit.call("javascript_tool", text=_WHERE)
    point: list[int] | None = answer.data.get("value")
    if not point:
        raise StepStoppedError(f"the page did not say where the treasure is: {answer.text}")
    await visit.call("computer", action="left_click", coordinate=point)
    received = await visit.received("/chart")
    hits = [(one.fields.get("mark"), one.fields.get("x"), one.fields.get("y")) for one in received]
    visit.check(
        "The click landed on the treasure, to the pixel",
        got=hits,
        expected=[("treasure", *(str(each) for each in point))],
    )


POINT = Step(
    "Click a spot on a picture",
    "Where nothing has a name, a coordinate read off the screenshot is the coordinate to click.",
    _point,
)
