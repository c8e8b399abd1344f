"""How well the elements of a snapshot fit one reading of a description. docs/find.md explains the weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from freehold.browser.description import Unit
from freehold.browser.lexicon import Lexicon
from freehold.browser.placing import Placing, nth
from freehold.browser.readings import Reading
from freehold.browser.roles import PASSIVE
from freehold.browser.snapshot import Node, Snapshot
from freehold.browser.surroundings import Surroundings
from freehold.browser.wording import Wording, is_done

# What fits less than this share of the description is not named at all.
_LEAST = 0.25
_ROLE_WEIGHT, _STATE_WEIGHT = 1.5, 1.5
# A word that the describer may have chosen for the thing says less than one that stands on the page.
_SOFT = 0.35
# Elements this near to the best score are the ones that "the third" counts.
_ORDINAL_SLACK = 0.06
_ORDINAL_BONUS = 0.2
# Where there are not so many, something else is meant.
_TOO_FEW = 0.85
_PRECISION_BONUS = 0.08
# "What comes after X" names X whole and does not mean it.
_NEIGHBOUR_BONUS, _BESIDE_IT = 0.15, 0.9
# Of two that fit alike, the one that can be acted on, is of the role and in the state asked for is meant.
_MAIN_HEADING = 0.8
_RARELY_MEANT, _OTHER_STATE, _OTHER_ROLE = 0.72, 0.6, 0.8
# The link in a heading is what a person calls the headline; another link may be.
_SUBHEADING, _IN_HEADING, _AS_HEADING = 0.95, 0.9, 0.4
# Who wants to delete something is not served by what does anything else with it, nor by what says that it is done.
_UNDONE, _ALREADY = 0.65, 0.88
# A name of so many characters is the text of half a page: it says everything, and is never meant.
_LONG = 150


@dataclass(frozen=True, slots=True)
class Fit:
    """An element that fits a reading: its place, how well, which units of the description, and notes for the agent."""

    at: int
    score: float
    units: tuple[Unit, ...] = ()
    notes: tuple[str, ...] = ()


class Fits:
    """The elements of one snapshot, compared with the readings of one description."""

    def __init__(self, snapshot: Snapshot, words: Lexicon, query: str) -> None:
        self._nodes = snapshot.nodes
        self._asks_done = any(map(is_done, query.split()))
        self._around = Surroundings(snapshot)
        self._wording = Wording(snapshot, self._around, words)

    def of(self, reading: Reading) -> list[Fit]:
        """Return the elements that fit `reading`, in no order."""
        roles, content = _taken_apart(reading.thing)
        weights = {unit: self._weight(unit) for unit in content}
        placing = Placing(reading, self._wording, self._around)
        states = _states(reading)
        whole = sum(weights.values()) + _ROLE_WEIGHT * bool(roles) + placing.weight + _STATE_WEIGHT * len(states)
        if not whole or (placing.row is not None and not placing.row):
            return []
        shares = self._candidates(weights, placing, roles)
        near = placing.scores(shares) if placing.weight else {}
        asked = frozenset(token for unit in (*content, *roles) for token in (*unit.tokens, *unit.concepts))
        actions = _actions(reading.thing)
        found: list[Fit] = []
        for at, (share, units) in shares.items():
            role = min((self._role_fit(at, unit) for unit in roles), default=0.0)
            held = sum(_holds(self._nodes[at], state) for state in states)
            place = near.get(at, 0.0)
            score = (share + _ROLE_WEIGHT * role + placing.weight * place + _STATE_WEIGHT * held) / whole
            score *= self._liking(
                at, named=role > 0 or bool(placing.row and place == 1 and not roles)
            ) * _OTHER_STATE ** (len(states) - held)
            score *= (_OTHER_ROLE if roles and not role else 1.0) * self._doing(at, actions)
            score += _PRECISION_BONUS * self._wording.precision(at, asked)
            score += _NEIGHBOUR_BONUS * bool(reading.neighbour and place > _BESIDE_IT)
            score = score * reading.worth + _ORDINAL_BONUS * bool(placing.row and at in placing.row)
            if score >= _LEAST:
                notes = (*([self._nodes[at].role] if role else []), *(["place"] if place >= 0.5 else []))
                found.append(Fit(at, score, units, notes))
        return found if placing.row is not None else self._counted(found, reading)

    def _weight(self, unit: Unit) -> float:
        return self._wording.weight(unit) * (_SOFT if unit.soft or unit.faint else 1.0)

    def _candidates(
        self, weights: Mapping[Unit, float], placing: Placing, roles: Sequence[Unit]
    ) -> dict[int, tuple[float, tuple[Unit, ...]]]:
        """Return, for each element that has some of the words, how much of them by weight, and which."""
        shares: dict[int, tuple[float, tuple[Unit, ...]]] = {}
        for unit, weight in weights.items():
            for at, match in self._wording.matches(unit).items():
                if self._nodes[at].ref:
                    share, units = shares.get(at, (0.0, ()))
                    shares[at] = (share + weight * match, (*units, unit))
        # Without words of the page, the role and the place say which it is.
        if (placing.row or roles or placing.weight or not weights) and all(unit.soft or unit.roles for unit in weights):
            for at in placing.row or range(len(self._nodes)):
                if self._nodes[at].ref:
                    shares.setdefault(at, (0.0, ()))
        return shares

    def _role_fit(self, at: int, unit: Unit) -> float:
        node = self._nodes[at]
        if node.role == "heading" == unit.roles[0]:
            return 1.0 if node.states.get("level") == 1 else _SUBHEADING
        if node.role in unit.roles:
            return 1.0 if node.role == unit.roles[0] else 0.75
        if "menu" in unit.roles and node.states.get("haspopup"):
            return 1.0
        if unit.roles[0] != "heading" or node.role != "link":
            return 0.0
        parent = self._around.parent[at]
        return _IN_HEADING if parent >= 0 and self._nodes[parent].role == "heading" else _AS_HEADING

    def _liking(self, at: int, *, named: bool) -> float:
        node = self._nodes[at]
        if named or node.role not in PASSIVE or self._wording.sorts(at):
            return 1.0
        if node.role == "heading" and node.states.get("level") == 1:
            return _MAIN_HEADING
        return _RARELY_MEANT if len(node.name) <= _LONG else _RARELY_MEANT**2

    def _doing(self, at: int, actions: Sequence[Unit]) -> float:
        if not actions:
            return 1.0
        undone = sum(not self._wording.does(at, unit) for unit in actions)
        already = not self._asks_done and self._wording.says_done(at, actions)
        return _UNDONE**undone * (_ALREADY if already else 1.0)

    def _counted(self, fits: list[Fit], reading: Reading) -> list[Fit]:
        """Put the one that an ordinal names before the others like it."""
        ordinal = next((unit.ordinal for unit in (*reading.thing, *reading.place) if unit.ordinal), 0)
        if not ordinal or not fits:
            return fits
        best = max(fits, key=lambda fit: fit.score)
        role = self._nodes[best.at].role
        # Without words of its own the thing is known by its place alone, which fades along a list.
        slack = _ORDINAL_SLACK if any(unit.is_content for unit in reading.thing) else 2 * _ORDINAL_SLACK
        alike = [fit for fit in fits if fit.score >= best.score - slack and self._nodes[fit.at].role == role]
        if role == "row":
            data = set(self._around.data_rows())
            alike = [fit for fit in alike if fit.at in data]
        if len(alike) == 1 and ordinal < 0:
            return fits
        chosen = nth(self._one_a_unit(sorted(alike, key=lambda fit: fit.at), reading), ordinal)
        if chosen is None:
            return [replace(fit, score=fit.score * _TOO_FEW) for fit in fits]
        raised = replace(chosen, score=best.score + _ORDINAL_BONUS, notes=(*chosen.notes, f"number {ordinal}"))
        return [raised, *(fit for fit in fits if fit is not chosen)]

    def _one_a_unit(self, alike: list[Fit], reading: Reading) -> list[Fit]:
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
    content = [
        replace(unit, faint=True) if unit.roles else unit
        for unit in thing
        if unit.is_content or (unit.roles and unit.concepts)
    ]
    return roles, content


def _actions(thing: Sequence[Unit]) -> list[Unit]:
    """Return what the thing shall do; after a role's word a verb only tells more of it ("how many to buy")."""
    found: list[Unit] = []
    for unit in thing:
        if unit.roles and not unit.action:
            break
        if unit.action and not unit.faint:
            found.append(unit)
    return found


def _states(reading: Reading) -> list[tuple[str, bool]]:
    return [unit.state for unit in (*reading.thing, *reading.place) if unit.state]


def _holds(node: Node, state: tuple[str, bool]) -> bool:
    name, wanted = state
    # A person says "selected" of a radio button and "checked" of a tab alike.
    names = ("checked", "selected", "current") if name in {"checked", "selected"} else (name,)
    return any(node.states.get(name) for name in names) == wanted
