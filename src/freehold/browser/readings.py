"""The ways in which a description can be read: which of its words name the thing, and which the place where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from freehold.browser.description import COMMA, POSSESSIVE, Unit, units
from freehold.browser.lexicon import CONCEPT, Lexicon

_ARTICLES = frozenset((("the",), ("a",), ("an",), ("to",), ("my",)))
_MARKS = frozenset((POSSESSIVE, COMMA))
_NEIGHBOURS = {"next": 1, "previous": -1}
_ROW = f"{CONCEPT}row"
_SIDES = {"over": -1}
# A description has few words that lead to a place; a text pasted in has many.
_SPLITS = 12
# A reading that leaves out what the description says is worth this much.
_SHORTENED = 0.93
_LISTED = 0.97
_OBJECT = 0.8
_ASIDE = 0.8
_HALF = 0.65


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a description: the thing and the place where it is."""

    thing: tuple[Unit, ...]
    place: tuple[Unit, ...] = ()
    neighbour: int = 0
    """1 where the thing comes right after the place, -1 where right before it."""
    side: int = 0
    """-1 where the thing comes before the place, at any distance."""
    listed: bool = False
    """The place is an item of a list, known by its number."""
    object: bool = False
    """The place is what the thing is done to."""
    worth: float = 1.0


def readings(query: str, words: Lexicon) -> list[Reading]:
    """Return every way to read `query`.

    As one name, and split at each word that leads from the thing to its place, or back; what is in parentheses may be
    left out.
    """
    whole = _verbs_ignored(units(query, words))
    found = _ways(whole)
    for short, worth in zip(_without_parentheses(query), (_SHORTENED, _ASIDE), strict=False):
        found += [
            replace(reading, worth=worth * reading.worth) for reading in _ways(_verbs_ignored(units(short, words)))
        ]
    return found


def _ways(parts: list[Unit]) -> list[Reading]:
    found = [Reading(tuple(unit for unit in parts if unit.relation not in _MARKS)), *_as_name(parts)]
    found += [*_with_object(parts), *_heading_of(parts)]
    splits = [at for at, unit in enumerate(parts) if unit.relation][:_SPLITS]
    for at in splits:
        found += _split(parts, at)
    for start, end in pairwise(splits):
        found += _within(parts, start, end)
    return found


def _with_object(parts: list[Unit]) -> list[Reading]:
    """What is to be done comes first, and its object may be a place, or not be named: "collapse the Labels card"."""
    said = [unit for unit in parts if not (unit.ignored or unit.relation)]
    if not said:
        return []
    found: list[Reading] = []
    if said[0].action and len(said) > 1 and not any(unit.roles for unit in said[:2]):
        rest = tuple(said[1:])
        found.append(Reading((said[0],), rest, object=True, worth=_LISTED))
        found.append(Reading((said[0], *(replace(unit, faint=True) for unit in rest)), worth=_OBJECT))
    if said[0].ordinal and len(said) > 1 and not any(unit.relation for unit in parts):
        found.append(Reading((), tuple(said), listed=True, worth=_LISTED))
    return found


def _heading_of(parts: list[Unit]) -> list[Reading]:
    """In "article title" and "page heading" the first word says what the heading is of."""
    said = [unit for unit in parts if not (unit.ignored or unit.relation)]
    if len(said) < 2 or said[-1].roles[:1] != ("heading",):
        return []
    return [Reading((said[-1],), tuple(said[:-1]), worth=_SHORTENED)]


def _split(parts: list[Unit], at: int) -> list[Reading]:
    relation = parts[at].relation
    before, after = tuple(parts[:at]), tuple(parts[at + 1 :])
    behind = relation == POSSESSIVE or relation.startswith("behind")
    kind = relation.removeprefix("behind_")
    neighbour, side = _NEIGHBOURS.get(kind, 0), _SIDES.get(kind, 0)
    thing, place = (after, before) if behind else (before, after)
    if relation == COMMA and _says_something(before) and _says_something(after):
        # What stands behind it may say the same once more, or all.
        plain = (tuple(unit for unit in part if not unit.relation) for part in (before, after))
        found = [Reading(part, worth=_HALF) for part in plain]
    else:
        found = []
    if not _says_something(place) or not (_says_something(thing) or neighbour):
        return found
    found.append(Reading(thing, place, neighbour, side))
    if counted := _counted(place):
        found.append(Reading(thing, counted, worth=_SHORTENED))
    if any(unit.ordinal for unit in place) and any(unit.is_content for unit in place):
        found.append(Reading(thing, place, listed=True, worth=_LISTED))
    return found


def _within(parts: list[Unit], start: int, end: int) -> list[Reading]:
    """Between two such words may stand the place, with the thing around it: "the menu in the header for new posts"."""
    thing, place = (*parts[:start], *parts[end + 1 :]), tuple(parts[start + 1 : end])
    if parts[start].relation in _MARKS or not _says_something(place) or not _says_something(parts[:start]):
        return []
    return [Reading(tuple(unit for unit in thing if not unit.relation), place)]


def _counted(place: Sequence[Unit]) -> tuple[Unit, ...]:
    """In "the second article's headline" it is the headlines that are counted; nothing need be called an article."""
    said = [unit for unit in place if not (unit.ignored or unit.relation)]
    if len(said) != 2 or not said[0].ordinal or said[1].literal or names_rows(said[1]):
        return ()
    return (said[0],)


def names_rows(unit: Unit) -> bool:
    """Say whether the unit is a word for the rows of a table."""
    return "row" in unit.roles or _ROW in unit.concepts


def _without_parentheses(query: str) -> list[str]:
    """Return the description without what is in parentheses, and that alone: it may say the same in other words."""
    for opening, closing in ("()", "\uff08\uff09"):
        start, end = query.find(opening), query.find(closing)
        if 0 < start < end:
            return [f"{query[:start]} {query[end + 1 :]}", query[start + 1 : end]]
    return []


def _verbs_ignored(parts: list[Unit]) -> list[Unit]:
    """At the start and before an article a role's word is a verb: "switch the site to …", "select a size"."""
    if len(parts) > 2 and parts[0].roles and not parts[0].concepts and parts[1].tokens in _ARTICLES:
        return [Unit(parts[0].tokens, ignored=True), *parts[1:]]
    return parts


def _as_name(parts: list[Unit]) -> list[Reading]:
    """Words that say nothing beside others may be all that an element is called: "Go", "the On button"."""
    kept = tuple(replace(unit, ignored=False) for unit in parts if unit.tokens not in _ARTICLES)
    if any(unit.is_content for unit in parts) or not any(unit.is_content for unit in kept):
        return []
    return [Reading(kept)]


def _says_something(parts: Sequence[Unit]) -> bool:
    return any(not (unit.ignored or unit.relation) for unit in parts)
