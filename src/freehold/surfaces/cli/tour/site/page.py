"""The pages of the tour's site, made from the files beside this one."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib import resources
from string import Template

_FILES = resources.files("freehold.surfaces.cli.tour.site")

_TITLES = {
    "home": "Welcome",
    "form": "Book a table",
    "sent": "Your table is booked",
    "shop": "Shop",
    "orders": "Orders",
    "deliveries": "Deliveries",
    "drawers": "Drawers",
    "dialogs": "Questions",
    "chart": "The chart of the bay",
    "handbook": "The handbook",
    "links": "The timetable",
    "timetable": "Summer timetable",
    "forged": "The forger",
}
_ADDRESSES = {"/": "home", **{f"/{name}": name for name in _TITLES if name != "home"}}
_SCRIPTS = {"drawers": "shadow"}
_BASKET = '<span class="basket">Basket: <b>0</b></span>'
_INSIDE = {
    "van": ("Our own van", "Three crates for the quay, from this very site."),
    "courier": ("The courier", "One parcel for the lighthouse, from another site."),
}


def asset(name: str) -> bytes:
    """Return the style sheet or the script of the site."""
    return (_FILES / name).read_bytes()


def page(path: str, elsewhere: str, sent: Mapping[str, str]) -> str | None:
    """Return the page at `path`, or None where there is none.

    `elsewhere` is the address of the second site; `sent` are the fields of the last form.
    """
    name = _ADDRESSES.get(path)
    if name is None:
        return None
    body = _template(name).substitute(elsewhere=elsewhere, fields=_definitions(sent))
    script, aside = _SCRIPTS.get(name, name), _BASKET if name == "shop" else ""
    return _template("layout").substitute(title=_TITLES[name], page=script, aside=aside, body=body)


def inside(place: str) -> str:
    """Return the small page that stands inside another one; `place` is `van` or `courier`."""
    heading, sentence = _INSIDE[place]
    return _template("inside").substitute(title=heading, heading=heading, sentence=sentence, place=place)


def _template(name: str) -> Template:
    return Template((_FILES / "pages" / f"{name}.html").read_text("utf-8"))


def _definitions(fields: Mapping[str, str]) -> str:
    return "\n".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in fields.items())
