"""A description of an element, in a person's words, taken apart.

The thing itself, where it is, its role, its state, which of several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from freehold.browser.lexicon import Lexicon
from freehold.text.analyzer import is_unspaced, tokens

_BREAK = re.compile("['\u2019](?:s\\b)?(?=\\s)|(?<=\\w)[,;:\uff0c](?=\\s|[^\\x00-\\x7f])|[()\uff08\uff09]")
_ARTICLES = frozenset((("the",), ("a",), ("an",), ("to",), ("my",)))
_MARKS = frozenset(("possessive", "comma"))
_NEIGHBOURS = {"next": 1, "previous": -1}
_DIGIT_ORDINALS = frozenset(("st", "nd", "rd", "th"))


@dataclass(frozen=True, slots=True)
class Unit:
    """One meaning of a description. `tokens` are what must be found, all of them, or else one of `concepts`."""

    tokens: tuple[str, ...]
    concepts: frozenset[str] = frozenset()
    roles: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    state: tuple[str, bool] | None = None
    ordinal: int = 0
    relation: str = ""
    ignored: bool = False

    @property
    def is_content(self) -> bool:
        """Whether it says what is written on the page, rather than what kind of thing it is."""
        return not (self.roles or self.state or self.ordinal or self.relation or self.ignored)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a description: the thing and the place where it is."""

    thing: tuple[Unit, ...]
    place: tuple[Unit, ...] = ()
    neighbour: int = 0
    """1 where the thing comes right after the place, -1 where right before it."""


def readings(query: str, words: Lexicon) -> list[Reading]:
    """Return every way to read `query`.

    As one name, and split at each word that leads from the thing to its place, or back.
    """
    units = _verbs_ignored(list(_units(query, words)))
    found = [Reading(tuple(unit for unit in units if unit.relation not in _MARKS)), *_as_name(units)]
    for at, unit in enumerate(units):
        before, after = tuple(units[:at]), tuple(units[at + 1 :])
        if not unit.relation:
            continue
        behind = unit.relation == "possessive" or unit.relation.startswith("behind")
        neighbour = _NEIGHBOURS.get(unit.relation.removeprefix("behind_"), 0)
        thing, place = (after, before) if behind else (before, after)
        if _says_something(place) and (_says_something(thing) or neighbour):
            found.append(Reading(thing, place, neighbour))
    return found


def _verbs_ignored(units: list[Unit]) -> list[Unit]:
    """At the start and before an article a role's word is a verb: "switch the site to …", "select a size"."""
    if len(units) > 2 and units[0].roles and not units[0].concepts and units[1].tokens in _ARTICLES:
        return [Unit(units[0].tokens, ignored=True), *units[1:]]
    return units


def _as_name(units: list[Unit]) -> list[Reading]:
    """Words that say nothing beside others may be all that an element is called: "Go", "the On button"."""
    kept = tuple(replace(unit, ignored=False) for unit in units if unit.tokens not in _ARTICLES)
    if any(unit.is_content for unit in units) or not any(unit.is_content for unit in kept):
        return []
    return [Reading(kept)]


def _says_something(units: Sequence[Unit]) -> bool:
    return any(not (unit.ignored or unit.relation) for unit in units)


def _units(query: str, words: Lexicon) -> Iterator[Unit]:
    at = 0
    for match in _BREAK.finditer(query):
        yield from _units_of(tokens(query[at : match.start()]), words)
        yield Unit((), relation="possessive" if match[0][0] in "'\u2019" else "comma")
        at = match.end()
    yield from _units_of(tokens(query[at:]), words)


def _units_of(run: tuple[str, ...], words: Lexicon) -> Iterator[Unit]:
    at = 0
    while at < len(run):
        if number := _digit_ordinal(run, at):
            yield Unit(run[at : at + 2], ordinal=number)
            at += 2
            continue
        phrase = words.phrase_at(run, at)
        if len(phrase) == 1 and is_unspaced(phrase[0]) and (pairs := _unspaced_run(run, at, words)):
            yield from pairs
            at += len(pairs) + 1 if len(pairs[0].tokens[0]) > 1 else 1
            continue
        yield _unit(phrase, words)
        at += len(phrase)


def _digit_ordinal(run: tuple[str, ...], at: int) -> int:
    if at + 1 < len(run):
        if run[at].isdigit() and run[at + 1] in _DIGIT_ORDINALS:
            return int(run[at])
        if run[at] == "第" and run[at + 1].isdigit():
            return int(run[at + 1])
    return 0


def _unspaced_run(run: tuple[str, ...], at: int, words: Lexicon) -> list[Unit]:
    """Characters that the lexicon does not know are compared in pairs, as a word of such scripts mostly has two."""
    end = at
    while (
        end < len(run)
        and is_unspaced(run[end])
        and len(words.phrase_at(run, end)) == 1
        and run[end : end + 1] not in words.ignored
    ):
        end += 1
    if end - at >= 2:
        return [Unit((run[i] + run[i + 1],)) for i in range(at, end - 1)]
    return []


def _unit(phrase: tuple[str, ...], words: Lexicon) -> Unit:
    return Unit(
        phrase,
        words.concepts.get(phrase, frozenset()),
        words.roles.get(phrase, ()),
        words.places.get(phrase, ()),
        words.states.get(phrase),
        words.ordinals.get(phrase, 0),
        words.relations.get(phrase, ""),
        phrase in words.ignored,
    )
