"""Press buttons inside frames."""

from __future__ import annotations

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import Visit

_BUTTON = "Confirm delivery"


async def _confirm(visit: Visit) -> None:
    await visit.open("/deliveries")
    outline = await visit.read()
    van = outline.ref("button", _BUTTON, after="Three crates for the quay")
    courier = outline.ref("button", _BUTTON, after="One parcel for the lighthouse")
    await visit.click(van, "the button inside our own frame")
    await visit.click(courier, "the button inside the other site's frame")
    received = await visit.received("/deliveries/confirm", 2)
    expected = [(visit.site.origin, "van"), (visit.site.elsewhere, "courier")]
    visit.check(
        "Each button told its own site",
        got=[(one.origin, one.fields.get("place")) for one in received],
        expected=expected,
    )
    await visit.picture("Both deliveries are confirmed.")


CONFIRM = Step(
    "Work inside frames, also those of another site",
    "Chrome runs a frame of another site in a process of its own. For the agent it is part of the page.",
    _confirm,
)
