"""The small site that the tour serves to itself, on loopback only."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from freehold.surfaces.cli.tour.site.record import Received, Record
from freehold.surfaces.cli.tour.site.server import Server, serving

__all__ = ["Received", "Record", "Site", "open_site"]


@dataclass(frozen=True, slots=True)
class Site:
    """Where the site is and what it received. `elsewhere` is the second site, whose page stands inside the first's."""

    origin: str
    elsewhere: str
    record: Record


@contextmanager
def open_site() -> Generator[Site]:
    """Serve the site on two free ports until the block is left.

    The second is called `localhost`: another port alone is another origin but the same site, and Chromium gives a frame
    a process of its own only where the site differs.
    """
    record = Record()
    first = Server(record, "van", "127.0.0.1")
    second = Server(record, "courier", "localhost")
    first.elsewhere, second.elsewhere = second.origin, first.origin
    with serving(first), serving(second):
        yield Site(first.origin, second.origin, record)
