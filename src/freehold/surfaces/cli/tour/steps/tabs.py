"""Follow a link that opens a tab, and work in the tab that is now hidden."""

from __future__ import annotations

from typing import Any

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.visit import StepStoppedError, Visit


async def _follow(visit: Visit) -> None:
    await visit.open("/links")
    outline = await visit.read("interactive")
    clicked = await visit.click(outline.ref("link", "Summer timetable"), "the link")
    visit.check(
        "The server was asked for the timetable", got=len(await visit.received("/timetable", method="GET")), expected=1
    )
    new: list[dict[str, Any]] = clicked.data.get("new_tabs") or []
    opened = [tab["tabId"] for tab in new]
    visit.check("The click says that one tab was opened", got=len(opened), expected=1)
    if not opened:
        raise StepStoppedError("no new tab was named")
    text = (await visit.call("get_page_text", tabId=opened[0])).text
    visit.check_in("The new tab belongs to the session and can be read", text, wanted="Sandpiper")
    await visit.picture("The new tab.", tabId=opened[0])
    await visit.picture("The first tab, hidden behind it: it can be seen and used all the same.")
    await visit.call("tabs_close", tabId=opened[0])
    left = (await visit.call("tabs_context")).data["tabs"]
    visit.check("After closing it, one tab is left", got=[tab["tabId"] for tab in left], expected=[visit.place.tab_id])


FOLLOW = Step(
    "Follow a link into a new tab",
    "A tab that a page opens joins the session, and the hidden one goes on working.",
    _follow,
)
