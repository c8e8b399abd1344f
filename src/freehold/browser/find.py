"""`find` without a model: the elements of a snapshot that fit a description, best first.

A description is read in several ways (see `description`); in each, an element's score is the share of the words' weight
that it fits: its own words and role as the thing, its surroundings as the place. The best reading counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from freehold.browser.description import Unit
from freehold.browser.readings import Reading, readings
from freehold.browser.lexicon import Lexicon, lexicon
from freehold.browser.placing import Placing, nth
from freehold.browser.roles import PASSIVE
from freehold.browser.snapshot import Node, Snapshot
from freehold.browser.surroundings import Surroundings
from freehold.browser.wording import Wording, is_done
from freehold.text.analyzer import tokens

LIMIT = 20
# A candidate must fit at least this share of the description, by weight; below it "nothing fits" is the better answer.
_FITS = 0.5
# What fits less is named after what fits.
_LEAST = 0.3
_ROLE_WEIGHT = 1.5
_IN_HEADING, _AS_HEADING = 0.9, 0.4
_OTHER_ROLE = 0.8
# Who wants to delete something is not served by what does anything else with it.
_UNDONE, _DONE, _ALREADY = 0.65, 0.45, 0.88
_SOFT = 0.35
# Elements this near to the best score are the ones that "the third" counts.
_ORDINAL_SLACK = 0.06
_ORDINAL_BONUS = 0.2
# Where there are not so many, something else is meant.
_TOO_FEW = 0.85
_PRECISION_BONUS = 0.08
# "What comes after X" names X whole and does not mean it.
_NEIGHBOUR_BONUS, _BESIDE_IT = 0.15, 0.9
# Of two that fit alike, the one that can be acted on and is in the state asked for is meant.
_RARELY_MEANT, _OTHER_STATE = 0.72, 0.6
_STATE_WEIGHT = 1.5
_LONG = 150


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that fits.

    `why` says in a few words what of the description it fits, `score` goes from 0 to about 1.
    """

    ref: int
    role: str
    name: str
    why: str
    score: float


def rank(snapshot: Snapshot, query: str, limit: int = LIMIT) -> list[Candidate]:
    """Return up to `limit` elements that fit `query`, best first.

    Empty where nothing fits. Only elements with a ref are candidates.
    """
    words = lexicon()
    page = _Page(snapshot, words, asks_done=any(map(is_done, query.split())))
    best: dict[int, _Fit] = {}
    for reading in readings(query, words):
        for fit in page.fits(reading):
            if fit.at not in best or fit.score > best[fit.at].score:
                best[fit.at] = fit
    if not any(fit.score >= _FITS for fit in best.values()):
        return []
    ranked = sorted(best.values(), key=lambda fit: (-fit.score, fit.at))
    spoken = {stem: word for word in query.split() for stem in tokens(word)}
    return [_candidate(snapshot.nodes[fit.at], fit, spoken) for fit in ranked[:limit]]


@dataclass(frozen=True, slots=True)
class _Fit:
    at: int
    score: float
    units: tuple[Unit, ...] = ()
    notes: tuple[str, ...] = ()


def _candidate(node: Node, fit: _Fit, spoken: dict[str, str]) -> Candidate:
    said = [
        " ".join(dict.fromkeys(spoken.get(token, token).strip(".,;:()'\"") for token in unit.tokens))
        for unit in fit.units
    ]
    return Candidate(node.ref, node.role, node.name, ", ".join((*said, *fit.notes)), round(fit.score, 3))


class _Page:
    def __init__(self, snapshot: Snapshot, words: Lexicon, *, asks_done: bool) -> None:
        self._nodes = snapshot.nodes
        self._asks_done = asks_done
        self._around = Surroundings(snapshot)
        self._wording = Wording(snapshot, self._around, words)

    def fits(self, reading: Reading) -> list[_Fit]:
        roles, content = _taken_apart(reading.thing)
        weights = {unit: self._weight(unit) for unit in content}
        placing = Placing(reading, self._wording, self._around)
        if placing.row is not None and not placing.row:
            return []
        states = _states(reading)
        whole = sum(weights.values()) + _ROLE_WEIGHT * bool(roles) + placing.weight + _STATE_WEIGHT * len(states)
        if not whole:
            return []
        shares = self._shares(weights)
        if (placing.row or roles or placing.weight) and all(unit.soft or unit.roles for unit in content):
            # Which one it is says the place; what it is called only what a person calls such a thing.
            for at in placing.row or range(len(self._nodes)):
                if self._nodes[at].ref:
                    shares.setdefault(at, (0.0, ()))
        near = placing.scores(shares) if placing.weight else {}
        asked = frozenset(token for unit in (*content, *roles) for token in (*unit.tokens, *unit.concepts))
        actions = [unit for unit in content if unit.action and not unit.faint]
        found: list[_Fit] = []
        for at, (share, units) in shares.items():
            node = self._nodes[at]
            role = min((self._role_fit(at, node, unit) for unit in roles), default=0.0)
            held = sum(_holds(node, state) for state in states)
            score = share + _ROLE_WEIGHT * role + placing.weight * near.get(at, 0.0) + _STATE_WEIGHT * held
            score *= self._liking(at, named=role > 0) * _OTHER_STATE ** (len(states) - held) / whole
            score *= _OTHER_ROLE if roles and not role else 1.0
            if actions and self._wording.says_done(at, actions) and not self._asks_done:
                score *= _ALREADY
            score *= _UNDONE ** sum(self._wording.matches(unit).get(at, 0.0) < _DONE for unit in actions)
            score += _PRECISION_BONUS * self._wording.precision(at, asked)
            if reading.neighbour and near.get(at, 0.0) > _BESIDE_IT:
                score += _NEIGHBOUR_BONUS
            score *= reading.worth
            if placing.row and at in placing.row and score >= _FITS:
                score += _ORDINAL_BONUS
            if score >= _LEAST:
                notes = (*([node.role] if role else []), *(["place"] if near.get(at, 0.0) >= 0.5 else []))
                found.append(_Fit(at, score, units, notes))
        return found if placing.row is not None else self._counted(found, reading)

    def _weight(self, unit: Unit) -> float:
        """A word such as "name" or "link" in "the name of the last user" says less where a place tells which."""
        weight = self._wording.weight(unit)
        return weight * (_SOFT if unit.soft or unit.roles or unit.faint else 1.0)

    def _shares(self, content: Mapping[Unit, float]) -> dict[int, tuple[float, tuple[Unit, ...]]]:
        """Return, for each element that has some of the words, how much of them by weight.

        Every element where no words are asked for.
        """
        if not content:
            return {at: (0.0, ()) for at, node in enumerate(self._nodes) if node.ref}
        shares: dict[int, tuple[float, tuple[Unit, ...]]] = {}
        for unit, weight in content.items():
            for at, match in self._wording.matches(unit).items():
                if self._nodes[at].ref:
                    share, units = shares.get(at, (0.0, ()))
                    shares[at] = (share + weight * match, (*units, unit))
        return shares

    def _role_fit(self, at: int, node: Node, unit: Unit) -> float:
        if node.role in unit.roles:
            return 1.0 if node.role == unit.roles[0] else 0.75
        parent = self._around.parent[at]
        # The link in a heading is what a person calls the headline.
        if unit.roles[0] != "heading" or node.role != "link":
            return 0.0
        return _IN_HEADING if parent >= 0 and self._nodes[parent].role == "heading" else _AS_HEADING

    def _liking(self, at: int, *, named: bool) -> float:
        node = self._nodes[at]
        if named or node.role not in PASSIVE or self._wording.sorts(at):
            return 1.0
        # A cell that holds half the page says everything, and is never meant.
        return _RARELY_MEANT if len(node.name) <= _LONG else _RARELY_MEANT**2

    def _counted(self, fits: list[_Fit], reading: Reading) -> list[_Fit]:
        """Put the one that an ordinal names before the others like it."""
        ordinal = next((unit.ordinal for unit in (*reading.thing, *reading.place) if unit.ordinal), 0)
        if not ordinal or not fits:
            return fits
        best = max(fits, key=lambda fit: fit.score)
        role = self._nodes[best.at].role
        # Without words of its own the thing is known by its place alone, which fades along a list.
        slack = _ORDINAL_SLACK if any(unit.is_content for unit in reading.thing) else 2 * _ORDINAL_SLACK
        alike = [fit for fit in fits if fit.score >= best.score - slack and self._nodes[fit.at].role == role]
        if len(alike) == 1 and ordinal < 0:
            return fits
        chosen = nth(self._one_a_unit(sorted(alike, key=lambda fit: fit.at), reading), ordinal)
        if chosen is None:
            return [replace(fit, score=fit.score * _TOO_FEW) for fit in fits]
        raised = replace(chosen, score=best.score + _ORDINAL_BONUS, notes=(*chosen.notes, f"number {ordinal}"))
        return [raised, *(fit for fit in fits if fit is not chosen)]

    def _one_a_unit(self, alike: list[_Fit], reading: Reading) -> list[_Fit]:
        """Where only "the third" was said, count the items of a list, not every link in and around it."""
        if any(unit.roles for unit in reading.thing):
            return alike
        units = {self._around.unit[fit.at]: fit for fit in reversed(alike)}
        units.pop(-1, None)
        return list(reversed(units.values())) if len(units) > 1 else alike


def _taken_apart(thing: Sequence[Unit]) -> tuple[list[Unit], list[Unit]]:
    """Return the units that say the thing's role, and those that say what is written on it.

    In "table search box" the last word says what it is, in "how many rows" the first; a heading's words say where
    ("headline link").
    """
    named = [unit for unit in thing if unit.roles]
    head = next((unit for unit in named if unit.roles[0] == "spinbutton"), named[-1] if named else None)
    roles = [unit for unit in named if unit is head or unit.roles[0] == "heading"]
    content = [unit for unit in thing if unit.is_content or (unit.roles and unit.concepts)]
    return roles, content


def _states(reading: Reading) -> list[tuple[str, bool]]:
    return [unit.state for unit in (*reading.thing, *reading.place) if unit.state]


def _holds(node: Node, state: tuple[str, bool]) -> bool:
    name, wanted = state
    # A person says "selected" of a radio button and "checked" of a tab alike.
    names = ("checked", "selected", "current") if name in {"checked", "selected"} else (name,)
    return any(node.states.get(name) for name in names) == wanted
