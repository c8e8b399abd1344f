from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from freehold.surfaces.cli.tour.site import Site, open_site
from freehold.surfaces.cli.tour.site.page import page

_PAGES = (
    "/",
    "/form",
    "/shop",
    "/orders",
    "/deliveries",
    "/drawers",
    "/dialogs",
    "/chart",
    "/handbook",
    "/links",
    "/timetable",
    "/forged",
    "/sent",
    "/inside",
)


class Addresses(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {value for name, value in attrs if name in {"src", "href"} and value}


@pytest.fixture
def site() -> Iterator[Site]:
    with open_site() as opened:
        yield opened


@pytest.mark.parametrize("path", _PAGES)
def test_a_page_asks_for_nothing_from_elsewhere(site: Site, path: str) -> None:
    with urlopen(site.origin + path) as answer:
        addresses = Addresses(answer.read().decode()).found
    foreign = {each for each in addresses if not each.startswith(("/", "data:", site.elsewhere))}
    assert foreign == set[str]()


def test_what_a_form_sends_is_kept_character_for_character(site: Site) -> None:
    fields = {"name": "می‌خواهم 👩‍👩‍👧 & <b>", "note": ""}
    with urlopen(f"{site.origin}/form", urlencode(fields).encode()) as answer:
        shown = answer.read().decode()
    (received,) = site.record.of("POST", "/form")
    assert received.fields == fields
    assert received.origin == site.origin
    assert "<b>" not in shown


def test_the_second_site_keeps_its_own_address_in_the_same_record(site: Site) -> None:
    urlopen(f"{site.elsewhere}/deliveries/confirm", b"place=courier").close()
    (received,) = site.record.wait("POST", "/deliveries/confirm", 1, seconds=5)
    assert received.origin == site.elsewhere


def test_what_never_comes_is_waited_for_no_longer_than_asked(site: Site) -> None:
    assert site.record.wait("POST", "/basket", 1, seconds=0.01) == []


def test_a_body_larger_than_any_page_sends_is_refused(site: Site) -> None:
    with pytest.raises(HTTPError) as refused:
        urlopen(f"{site.origin}/form", b"x" * 70_000)
    refused.value.close()
    assert site.record.of("POST", "/form") == []


def test_there_is_no_page_at_another_address() -> None:
    assert page("/../site.css", "http://localhost:1", {}) is None
