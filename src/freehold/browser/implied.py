"""What the structure of a page says of elements that have no words for it.

Which links are page numbers, which nameless button searches, which picture is the site's logo.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from freehold.browser.lexicon import CONCEPT, Lexicon
from freehold.browser.snapshot import Node, Snapshot
from freehold.browser.surroundings import Surroundings

_LINKS = frozenset(("link", "button"))
_FIELDS = frozenset(("textbox", "searchbox", "combobox"))
_PICTURES = frozenset(("image", "img"))
_SEARCH, _PAGINATION, _PAGE, _PAGE_NUMBER, _LOGO = (
    CONCEPT + name for name in ("search", "pagination", "page", "page_number", "logo")
)
_STEPS = frozenset(CONCEPT + name for name in ("next", "previous"))
# A button belongs to a field that stands at most so many nodes from it.
_BESIDE_FIELD = 3
# A site shows its logo among the first nodes of its pages, and its search field in the first part.
_TOP_NODES, _TOP_PART = 12, 0.2
# Pages are numbered with at most so many digits.
_DIGITS = 4


def implied(snapshot: Snapshot, around: Surroundings, words: Lexicon) -> dict[int, set[str]]:
    """Return, by place in `snapshot.nodes`, the concepts that an element's structure implies."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for at, node in enumerate(snapshot.nodes):
        if node.role == "searchbox":
            found[at].add(_SEARCH)
    for at in _search_buttons(snapshot, around, words):
        found[at].add(_SEARCH)
    for run in _page_numbers(snapshot, around):
        for at in run:
            found[at] |= {_PAGE, _PAGE_NUMBER, _PAGINATION}
        for at in _steps(snapshot, around, run, words):
            found[at].add(_PAGINATION)
        found[around.common(run[0], run[-1])].add(_PAGINATION)
    if (logo := _logo(snapshot, around)) is not None:
        found[logo].add(_LOGO)
    found.pop(-1, None)
    return dict(found)


def _search_buttons(snapshot: Snapshot, around: Surroundings, words: Lexicon) -> Iterator[int]:
    nodes = snapshot.nodes
    for at, node in enumerate(nodes):
        if node.role not in _LINKS or node.name:
            continue
        near = range(max(0, at - _BESIDE_FIELD), min(len(nodes), at + _BESIDE_FIELD + 1))
        fields = [place for place in near if nodes[place].role in _FIELDS and around.parent[place] == around.parent[at]]
        if any(_searches(nodes[place], words) or _alone(snapshot, around, place) for place in fields):
            yield at


def _searches(field: Node, words: Lexicon) -> bool:
    said = f"{field.name} {field.states.get('placeholder', '')}"
    return field.role == "searchbox" or _SEARCH in words.bag(said)


def _alone(snapshot: Snapshot, around: Surroundings, field: int) -> bool:
    """Say whether the field is its form's only one, near the page's top."""
    form = around.parent[field]
    if form < 0 or snapshot.nodes[form].role not in {"form", "search"} or form > _TOP_PART * len(snapshot.nodes):
        return False
    return sum(snapshot.nodes[place].role in _FIELDS for place in range(form, around.end[form])) == 1


def _page_numbers(snapshot: Snapshot, around: Surroundings) -> Iterator[list[int]]:
    """Yield runs of links whose names are rising numbers, each in one list."""
    run: list[int] = []
    for at, node in enumerate(snapshot.nodes):
        if node.role not in _LINKS:
            continue
        number = node.name.strip()
        if number.isdecimal() and len(number) <= _DIGITS:
            if run and not (int(snapshot.nodes[run[-1]].name) < int(number) and around.siblings(run[-1], at)):
                if len(run) > 1:
                    yield run
                run = []
            run.append(at)
        elif run:
            if len(run) > 1:
                yield run
            run = []
    if len(run) > 1:
        yield run


def _steps(snapshot: Snapshot, around: Surroundings, run: list[int], words: Lexicon) -> Iterator[int]:
    """Yield the links to the next and the previous page beside the numbers."""
    for end, step in ((run[0], -1), (run[-1], 1)):
        at, left = end + step, 2 * _BESIDE_FIELD
        while 0 <= at < len(snapshot.nodes) and left:
            node = snapshot.nodes[at]
            if node.role in _LINKS and around.siblings(end, at) and words.bag(node.name) & _STEPS:
                yield at
            at, left = at + step, left - 1


def _logo(snapshot: Snapshot, around: Surroundings) -> int | None:
    """Return the first link at the top that shows a picture, or the first picture there."""
    for at, node in enumerate(snapshot.nodes[:_TOP_NODES]):
        if node.role in _PICTURES:
            parent = around.parent[at]
            return parent if parent >= 0 and snapshot.nodes[parent].role == "link" else at
    return None
