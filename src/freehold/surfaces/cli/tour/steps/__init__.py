"""The steps of the tour, in the order in which it takes them."""

from __future__ import annotations

from freehold.surfaces.cli.tour.step import Step
from freehold.surfaces.cli.tour.steps import dialogs, form, frames, looking, orders, reading, shadow, shop, tabs, trust

STEPS: tuple[Step, ...] = (
    reading.OPEN,
    reading.READ,
    form.FILL,
    shop.SEARCH,
    shop.CHOOSE,
    orders.DELETE,
    frames.CONFIRM,
    shadow.TAKE,
    dialogs.ANSWER,
    looking.POINT,
    tabs.FOLLOW,
    trust.INTACT,
    trust.FORGED,
)

__all__ = ["STEPS"]
