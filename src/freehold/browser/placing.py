"""Where a description says that its thing is: how well each candidate stands there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

from freehold.browser.description import Unit
from freehold.browser.readings import Reading, names_rows
from freehold.browser.roles import PASSIVE
from freehold.browser.surroundings import Surroundings
from freehold.browser.wording import Wording

T = TypeVar("T")

_ANCHORS = 24
# What names a list must say nearly all of the place's words.
_WHOLE = 0.7
# An element that says so much less than the one that says most does not name the place.
_NEARLY = 0.6
_BY_UNIT = 0.95
_SOFT = 0.35
# A place that is not on the page may have been meant in other words.
_NOWHERE = 0.4
_NOT_FIRST = 0.97
# Anchors must say this share of the place's words.
_COVER = 0.3
# Without landmarks, what is first or last in reading order is taken to be at the top or the bottom, with some doubt.
_TOP, _BOTTOM, _DOUBT = 0.2, 0.8, 0.6
_ORDINAL_PLACE = 0.4


class Placing:
    """The nearness of a page's nodes to the place that one reading names.

    `weight` is how much the place counts, 0 where it is not on the page.
    """

    def __init__(self, reading: Reading, wording: Wording, around: Surroundings) -> None:
        self._wording = wording
        self._around = around
        self._reading = reading
        place = reading.place
        said = [unit for unit in place if unit.is_content or unit.places]
        self._asked = said or [unit for unit in place if unit.roles]
        self.row = _row(place, around)
        if reading.listed:
            self.row = self._listed()
        self._anchors = self._find_anchors() if self._asked and self.row is None else []
        self.weight = self._weight() if self.row is not None or self._asked else 0.0

    def _listed(self) -> range:
        """Return the places in the item that "the third contributor" names: in the list under such a heading."""
        around = self._around
        ordinal = next(unit.ordinal for unit in self._reading.place if unit.ordinal)
        for cover, anchor in self._find_anchors():
            if cover >= _WHOLE and (item := nth(around.items(anchor), ordinal)):
                return item
        return range(0)

    def scores(self, candidates: Collection[int]) -> dict[int, float]:
        """Return from 0 to 1, by place, how well each of `candidates` stands where the description says."""
        if self.row is not None:
            # A person calls an item what stands first in it.
            first = min((at for at in candidates if at in self.row), default=-1)
            return {at: (1.0 if at == first else _NOT_FIRST) * (at in self.row) for at in candidates}
        if self._reading.neighbour:
            return self._neighbours()
        nearness = self._around.before if self._reading.side < 0 else self._around.nearness
        scores = {
            at: max((cover * nearness(at, anchor) for cover, anchor in self._anchors), default=0.0) for at in candidates
        }
        landmarks = {role for unit in self._asked for role in unit.places}
        return self._by_position(scores, landmarks) if landmarks & {"banner", "contentinfo"} else scores

    def _weight(self) -> float:
        weight = sum(map(self._says, self._asked)) or 1.0
        # "The third email": which one it is matters more than what it is called.
        if self.row is None and not self._anchors and not self._reading.object:
            weight *= _NOWHERE
        counted = any(unit.ordinal for unit in self._reading.place) and self.row is None
        return weight * _ORDINAL_PLACE if counted else weight

    def _says(self, unit: Unit) -> float:
        """What is said of the thing too ("the order number of the cancelled order") says little about where it is."""
        weight = self._wording.weight(unit)
        return weight * _SOFT if unit.soft or unit.tokens in {said.tokens for said in self._reading.thing} else weight

    def _find_anchors(self) -> list[tuple[float, int]]:
        weights = list(map(self._says, self._asked))
        covers: dict[int, float] = {}
        for unit, weight in zip(self._asked, weights, strict=True):
            fits = dict(self._wording.named(unit))
            if unit.places:
                nodes = enumerate(self._around.nodes)
                fits.update(dict.fromkeys((at for at, node in nodes if node.role in unit.places), 1.0))
            elif unit.roles and not unit.is_content:
                nodes = enumerate(self._around.nodes)
                fits.update(dict.fromkeys((at for at, node in nodes if node.role in unit.roles), 1.0))
            for at, fit in self._with_units(fits).items():
                covers[at] = covers.get(at, 0.0) + weight * fit / sum(weights)
        best = max(covers.values(), default=0.0)
        anchors = [(cover, at) for at, cover in covers.items() if cover >= max(_COVER, _NEARLY * best)]
        # Of two that say the same the smaller one says where it is.
        anchors.sort(key=lambda anchor: (-anchor[0], self._around.end[anchor[1]] - anchor[1], anchor[1]))
        return anchors[:_ANCHORS]

    def _with_units(self, fits: dict[int, float]) -> dict[int, float]:
        """What stands in a row or card is said by the row: "the cancelled order" has its state in one cell of it."""
        found = dict(fits)
        for at, fit in fits.items():
            if (unit := self._around.unit[at]) >= 0 and self._around.is_small(unit):
                found[unit] = max(found.get(unit, 0.0), _BY_UNIT * fit)
        return found

    def _neighbours(self) -> dict[int, float]:
        step = self._reading.neighbour
        scores: dict[int, float] = {}
        best = self._anchors[0][0] if self._anchors else 1.0
        for cover, anchor in self._anchors:
            at = self._around.end[anchor] if step > 0 else anchor - 1
            worth = cover / best
            while 0 <= at < len(self._around.nodes) and worth > _COVER:
                if self._around.nodes[at].ref and self._around.nodes[at].role not in PASSIVE:
                    scores[at] = max(scores.get(at, 0.0), worth)
                    worth *= 0.5
                at += step
        return scores

    def _by_position(self, scores: dict[int, float], landmarks: set[str]) -> dict[int, float]:
        total = len(self._around.nodes)
        for at, score in scores.items():
            top = "banner" in landmarks and at < total * _TOP
            bottom = "contentinfo" in landmarks and at > total * _BOTTOM
            if top or bottom:
                scores[at] = max(score, _DOUBT)
        return scores


def _row(place: Sequence[Unit], around: Surroundings) -> range | None:
    """Return the places in the row that "in the third row" or "第二行" names."""
    ordinal = next((unit.ordinal for unit in place if unit.ordinal), 0)
    if not ordinal or not any(map(names_rows, place)):
        return None
    row = nth(around.data_rows(), ordinal)
    return None if row is None else range(row + 1, around.end[row])


def nth(items: Sequence[T], ordinal: int) -> T | None:
    """Return the item that `ordinal` names: from 1, or from the end below 0; None where there are not so many."""
    index = ordinal - 1 if ordinal > 0 else ordinal
    return items[index] if -len(items) <= index < len(items) else None
