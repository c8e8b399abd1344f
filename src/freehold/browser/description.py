"""A description of an element, in a person's words, taken apart into units of meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from freehold.browser.lexicon import Lexicon, apart
from freehold.text.analyzer import is_unspaced, tokens

# What stands in quotation marks is written on the page like that. An apostrophe within a word ends nothing.
_QUOTED = re.compile(
    "(?<!\\w)'(.+?)'(?!\\w)|\"(.+?)\"|\u201c(.+?)\u201d|\u2018(.+?)\u2019(?!\\w)|\u300c(.+?)\u300d|\u300a(.+?)\u300b"
)
_BREAK = re.compile("['\u2019](?:s\\b)?(?=\\s)|(?<=\\w)[,;:?!\uff0c\uff1f](?=\\s|[^\\x00-\\x7f])|[()\uff08\uff09]")
# A name such as "WhatsApp" is one word to a person; of a page's names both readings are kept.
_WHOLE_NAME = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b|\b[a-z]+(?:[A-Z][a-z]+)+\b")
_DIGIT_ORDINALS = frozenset(("st", "nd", "rd", "th"))
# "Order the list by age": so far apart may the words of a phrase of two stand whose second one is a particle.
_APART = 5
_PARTICLES = frozenset(("away", "back", "by", "down", "in", "later", "off", "on", "out", "up"))

POSSESSIVE, COMMA = "possessive", "comma"


@dataclass(frozen=True, slots=True)
class Unit:
    """One meaning of a description. `tokens` are what must be found, all of them, or else one of `concepts`.

    `literal` says that it stood in quotation marks, `soft` that it may well be the describer's word for the thing.
    """

    tokens: tuple[str, ...]
    concepts: frozenset[str] = frozenset()
    roles: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    state: tuple[str, bool] | None = None
    ordinal: int = 0
    relation: str = ""
    ignored: bool = False
    literal: bool = False
    soft: bool = False
    faint: bool = False
    action: bool = False

    @property
    def is_content(self) -> bool:
        """Whether it says what is written on the page, rather than what kind of thing it is."""
        return not (self.roles or self.state or self.ordinal or self.relation or self.ignored)


def units(query: str, words: Lexicon) -> list[Unit]:
    """Return the units of `query` in order; quotations whole, and a unit for each apostrophe, comma and parenthesis."""
    query = _WHOLE_NAME.sub(lambda name: name[0].lower(), apart(query))
    found: list[Unit] = []
    at = 0
    for match in _QUOTED.finditer(query):
        found += _plain(query[at : match.start()], words)
        if quoted := tokens(next(filter(None, match.groups()))):
            found.append(Unit(quoted, words.concepts.get(quoted, frozenset()), literal=True))
        at = match.end()
    return [*found, *_plain(query[at:], words)]


def _plain(text: str, words: Lexicon) -> Iterator[Unit]:
    at = 0
    for match in _BREAK.finditer(text):
        yield from _units_of(tokens(text[at : match.start()]), words)
        yield Unit((), relation=POSSESSIVE if match[0][0] in "'\u2019" else COMMA)
        at = match.end()
    yield from _units_of(tokens(text[at:]), words)


def _units_of(run: tuple[str, ...], words: Lexicon) -> Iterator[Unit]:
    at = 0
    while at < len(run):
        if number := _digit_ordinal(run, at):
            yield Unit(run[at : at + 2], ordinal=number)
            at += 2
            continue
        phrase = words.phrase_at(run, at)
        if run[at : at + 1] in words.ordinals and len(words.phrase_at(run, at + 1)) >= len(phrase) > 1:
            # In "last page number" the page number is one thing, not the last page.
            phrase = run[at : at + 1]
        if len(phrase) == 1 and is_unspaced(phrase[0]) and (pairs := _unspaced_run(run, at, words)):
            yield from pairs
            at += len(pairs) + 1 if len(pairs[0].tokens[0]) > 1 else 1
            continue
        if verb := _apart(run, at, words):
            unit, end = verb
            yield unit
            yield from (replace(each, faint=True) for each in _units_of(run[at + 1 : end], words))
            at = end + 1
            continue
        yield _unit(phrase, words)
        at += len(phrase)


def _apart(run: tuple[str, ...], at: int, words: Lexicon) -> tuple[Unit, int] | None:
    """Return the phrase whose first word is at `at` and whose particle comes later, and the particle's place."""
    for end in range(at + 2, min(at + 2 + _APART, len(run))):
        if run[end] in _PARTICLES and (concepts := words.concepts.get((run[at], run[end]))):
            return Unit((run[at], run[end]), concepts, action=bool(words.actions & concepts)), end
    return None


def _digit_ordinal(run: Sequence[str], at: int) -> int:
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
        soft=phrase in words.soft,
        action=bool(words.actions & words.concepts.get(phrase, frozenset())),
    )
