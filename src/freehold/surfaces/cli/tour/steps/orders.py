"""Delete one row of a table, and find the ref of what is gone refused."""

from __future__ import annotations

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import Visit


async def _delete(visit: Visit) -> None:
    await visit.open("/orders")
    outline = await visit.read()
    button = visit.known(outline.ref("button", "Delete", after="Parisa Ahmadi"), "the button of the third row")
    await visit.click(button, "the button of the third row")
    received = await visit.received("/orders/delete")
    visit.check(
        "Order 1003 was deleted, and no other", got=[one.fields.get("order") for one in received], expected=["1003"]
    )
    await visit.refused(
        "The ref of the deleted row's button is refused", "ref_removed", "computer", action="left_click", ref=button
    )
    await visit.refused(
        "So is a ref that was never given out", "unknown_ref", "computer", action="left_click", ref="ref_999999"
    )
    visit.check("Nothing else was deleted", got=len(await visit.received("/orders/delete")), expected=1)
    await visit.picture("Four orders are left.")


DELETE = Step(
    "Delete one row of a table",
    "A ref is never handed to another element: what is gone is refused, with the reason and the next call to make.",
    _delete,
)
