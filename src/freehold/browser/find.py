"""`find` without a model: the elements of a snapshot that fit a description, best first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from freehold.browser.description import Reading, Unit, readings
from freehold.browser.lexicon import Lexicon, lexicon
from freehold.browser.roles import is_interactive
from freehold.browser.snapshot import Node, Snapshot
from freehold.browser.surroundings import Surroundings

LIMIT = 20
# A candidate must say at least this share of what the description says, by weight; below it "nothing fits" is the better answer.
_FITS = 0.45
_ROLE_WEIGHT = 1.5
_ORDINAL_SLACK = 0.06
_ANCHORS = 12


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that fits; `why` says in a few words what of the description it fits, `score` goes from 0 to about 1."""

    ref: int
    role: str
    name: str
    why: str
    score: float


def rank(snapshot: Snapshot, query: str, limit: int = LIMIT) -> list[Candidate]:
    """Return up to `limit` elements that fit `query`, best first; empty where nothing fits."""
    words = lexicon()
    page = _Page(snapshot, words)
    best: dict[int, _Fit] = {}
    for reading in readings(query, words):
        for fit in page.fits(reading):
            if fit.score > best.get(fit.at, _NONE).score:
                best[fit.at] = fit
    ranked = sorted(best.values(), key=lambda fit: (-fit.score, fit.at))
    return [_candidate(snapshot.nodes[fit.at], fit) for fit in ranked[:limit]]


@dataclass(frozen=True, slots=True)
class _Fit:
    at: int
    score: float
    why: tuple[str, ...] = ()


_NONE = _Fit(-1, -1.0)


def _candidate(node: Node, fit: _Fit) -> Candidate:
    return Candidate(node.ref, node.role, node.name, ", ".join(fit.why), round(fit.score, 3))


class _Page:
    def __init__(self, snapshot: Snapshot, words: Lexicon) -> None:
        self._nodes = snapshot.nodes
        self._around = Surroundings(snapshot)
        self._names = [words.bag(node.name) for node in self._nodes]
        self._other = [words.bag(_other_words(node)) for node in self._nodes]
        self._columns = [_column_bag(self._around, words, at) for at in range(len(self._nodes))]
        self._counts = Counter(token for bag in set(self._names) for token in bag)
        self._total = len(set(self._names))

    def fits(self, reading: Reading) -> list[_Fit]:
        content = [unit for unit in reading.thing if unit.is_content]
        roles = [unit for unit in reading.thing if unit.roles]
        weights = [self._weight(unit) for unit in content]
        nearness = self._place_scores(reading.place)
        place_weight = self._place_weight(reading.place) if nearness else 0.0
        whole = sum(weights) + _ROLE_WEIGHT * bool(roles) + place_weight
        if not whole:
            return []
        found: list[_Fit] = []
        for at, node in enumerate(self._nodes):
            if not node.ref:
                continue
            share, why = self._share(at, node, content, weights, roles)
            if content and share <= 0 and not nearness:
                continue
            near = nearness.get(at, 0.0) if nearness else 0.0
            score = (share + place_weight * near) / whole
            score *= self._liking(node, reading, roles)
            if near >= 0.5:
                why = (*why, "place")
            score += 0.08 * self._precision(at, content)
            found.append(_Fit(at, score, why))
        return self._chosen(found, reading)

    def _share(
        self, at: int, node: Node, content: list[Unit], weights: list[float], roles: list[Unit]
    ) -> tuple[float, tuple[str, ...]]:
        matched = [self._match(at, unit) for unit in content]
        share = sum(weight * match for weight, match in zip(weights, matched, strict=True))
        why = tuple(" ".join(unit.tokens) for unit, match in zip(content, matched, strict=True) if match)
        if content and not share:
            return 0.0, ()
        if roles:
            fit = min(self._role_fit(at, node, unit) for unit in roles)
            share += _ROLE_WEIGHT * fit
            why = (*why, node.role) if fit else why
        return share, why

    def _role_fit(self, at: int, node: Node, unit: Unit) -> float:
        if node.role == unit.roles[0]:
            return 1.0
        if node.role in unit.roles:
            return 0.75
        parent = self._around.parent[at]
        return 0.7 if parent >= 0 and self._nodes[parent].role == unit.roles[0] else 0.0

    def _match(self, at: int, unit: Unit) -> float:
        name, other = self._names[at], self._other[at]
        if name.issuperset(unit.tokens):
            return 1.0
        if not unit.concepts.isdisjoint(name):
            return 0.85
        if other.issuperset(unit.tokens) or not unit.concepts.isdisjoint(other):
            return 0.7
        column = self._columns[at]
        if column and (column.issuperset(unit.tokens) or not unit.concepts.isdisjoint(column)):
            return 0.7
        heading = self._around.heading[at]
        if heading >= 0 and self._names[heading].issuperset(unit.tokens):
            return 0.25
        return 0.0

    def _weight(self, unit: Unit) -> float:
        counts = [self._counts[concept] for concept in unit.concepts]
        count = max([min(self._counts[token] for token in unit.tokens), *counts])
        return math.log(2 + self._total / (1 + count)) / (2 if unit.places else 1)

    def _precision(self, at: int, content: list[Unit]) -> float:
        asked = {token for unit in content for token in unit.tokens} | {c for unit in content for c in unit.concepts}
        plain = [token for token in self._names[at] if token[0] != "§"]
        if not plain or not asked:
            return 0.0
        covered = sum(token in asked for token in self._names[at])
        return min(1.0, covered / len(plain))

    def _liking(self, node: Node, reading: Reading, roles: list[Unit]) -> float:
        liking = 1.0 if is_interactive(node) else 0.72
        if any(node.role in unit.roles for unit in roles):
            liking = 1.0
        for unit in (*reading.thing, *reading.place):
            if unit.state and not _holds(node, unit.state):
                liking *= 0.6
        return liking

    def _place_weight(self, place: Sequence[Unit]) -> float:
        return sum(self._weight(unit) for unit in place if unit.is_content or unit.places) or 1.0

    def _place_scores(self, place: Sequence[Unit]) -> dict[int, float]:
        if not place:
            return {}
        if rows := self._row(place):
            return rows
        asked = [unit for unit in place if unit.is_content or unit.places]
        if not asked:
            return {}
        weights = [self._weight(unit) for unit in asked]
        anchors: list[tuple[float, int]] = []
        for at, name in enumerate(self._names):
            role = self._nodes[at].role
            cover = sum(w * _anchors(unit, name, role) for w, unit in zip(weights, asked, strict=True)) / sum(weights)
            if cover >= 0.3:
                anchors.append((cover, at))
        anchors.sort(key=lambda anchor: (-anchor[0], self._around.end[anchor[1]] - anchor[1]))
        return {
            at: max((cover * self._around.nearness(at, anchor) for cover, anchor in anchors[:_ANCHORS]), default=0.0)
            for at in range(len(self._nodes))
        }

    def _row(self, place: Sequence[Unit]) -> dict[int, float]:
        ordinal = next((unit.ordinal for unit in place if unit.ordinal), 0)
        if not ordinal or not any("row" in unit.roles or "§row" in unit.concepts for unit in place):
            return {}
        rows = self._around.data_rows()
        index = ordinal - 1 if ordinal > 0 else ordinal
        if not -len(rows) <= index < len(rows):
            return {}
        return dict.fromkeys(range(rows[index] + 1, self._around.end[rows[index]]), 1.0)

    def _chosen(self, found: list[_Fit], reading: Reading) -> list[_Fit]:
        fitting = [fit for fit in found if fit.score >= _FITS]
        ordinal = next((unit.ordinal for unit in (*reading.thing, *reading.place) if unit.ordinal), 0)
        if not ordinal or not fitting or self._row(reading.place):
            return fitting
        best = max(fit.score for fit in fitting)
        role = next(self._nodes[fit.at].role for fit in fitting if fit.score == best)
        group = [fit for fit in fitting if fit.score >= best - _ORDINAL_SLACK and self._nodes[fit.at].role == role]
        index = ordinal - 1 if ordinal > 0 else ordinal
        if not -len(group) <= index < len(group):
            return fitting
        chosen = group[index]
        return [_Fit(chosen.at, chosen.score + 0.2, (*chosen.why, f"number {ordinal}")), *(fit for fit in fitting if fit is not chosen)]


def _anchors(unit: Unit, name: frozenset[str], role: str) -> float:
    if role in unit.places:
        return 1.0
    if name.issuperset(unit.tokens):
        return 1.0
    return 0.0 if unit.concepts.isdisjoint(name) else 0.85


def _other_words(node: Node) -> str:
    states = node.states
    if not states:
        return ""
    words = [str(states[name]) for name in ("value", "placeholder", "description") if name in states]
    if url := str(states.get("url", "")):
        words.append(url.rsplit("//", 1)[-1].split("?", 1)[0][-60:])
    return " ".join(words)


def _column_bag(around: Surroundings, words: Lexicon, at: int) -> frozenset[str]:
    header = around.column(at)
    return words.bag(header.name) if header else frozenset()


def _holds(node: Node, state: tuple[str, bool]) -> bool:
    name, wanted = state
    if name in {"checked", "selected"}:
        return bool(node.states.get("checked") or node.states.get("selected")) == wanted
    return bool(node.states.get(name)) == wanted
