from __future__ import annotations

from html.parser import HTMLParser

from freehold.surfaces.cli.tour.connect import Connect
from freehold.surfaces.cli.tour.notes import Call, Check, Notes, Picture
from freehold.surfaces.cli.tour.report import render
from freehold.surfaces.cli.tour.step import Outcome
from freehold.surfaces.cli.tour.verdict import Verdict
from freehold.tools.result import Image

_EVIL = "</pre><script>alert(1)</script>\"'><img src=x onerror=alert(1)>${style}$style"


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def called(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def verdict_of(*outcomes: Outcome) -> Verdict:
    return Verdict(outcomes, "0.1.0", _EVIL, "2026-11-30 12:00:00+00:00", 1.0)


def page_of(*outcomes: Outcome) -> str:
    return render(verdict_of(*outcomes), Connect(_EVIL))


def evil_outcome() -> Outcome:
    call = Call("read_page", {"text": _EVIL}, _EVIL, is_error=False, seconds=0.1)
    picture = Picture(Image(b"\xff\xd8", 'image/jpeg"onload="alert(1)'), _EVIL)
    return Outcome(_EVIL, _EVIL, Notes([call], [Check(_EVIL, False, _EVIL, _EVIL)], [picture]), 0.1, _EVIL)


def test_nothing_that_a_page_or_a_tool_said_becomes_markup() -> None:
    elements = Elements(page_of(evil_outcome()))
    assert elements.called("script") == []
    (picture,) = elements.called("img")
    assert set(picture) == {"src", "alt"}


def test_what_looks_like_a_placeholder_of_the_template_stays_as_it_is() -> None:
    page = page_of(evil_outcome())
    assert "${style}$style" in page


def test_the_report_needs_no_other_file() -> None:
    elements = Elements(page_of(evil_outcome()))
    addresses = [
        address for _, attributes in elements.found for name in ("src", "href") if (address := attributes.get(name))
    ]
    assert addresses
    assert all(address.startswith(("data:", "#")) for address in addresses)


def test_every_picture_has_words_in_its_place() -> None:
    notes = Notes(pictures=[Picture(Image(b"x", "image/png"), "The form")])
    (picture,) = Elements(page_of(Outcome("t", "s", notes, 0.1))).called("img")
    assert "The form" in (picture["alt"] or "")


def test_a_failed_run_says_so_in_its_heading() -> None:
    good = Outcome("good", "", Notes(checks=[Check("is", True, "1", "1")]), 0.1)
    assert '<body class="passed">' in page_of(good)
    assert '<body class="failed">' in page_of(good, evil_outcome())


def test_a_run_without_steps_has_not_passed() -> None:
    assert not verdict_of().passed
