"""Which nodes of a snapshot say what a description says, and how much each of its words tells."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from freehold.browser.description import Unit
from freehold.browser.implied import implied
from freehold.browser.lexicon import CONCEPT, Lexicon
from freehold.browser.roles import PASSIVE
from freehold.browser.snapshot import Snapshot
from freehold.browser.spelling import spelled
from freehold.browser.surroundings import Surroundings
from freehold.text.analyzer import tokens

# How well a node fits a word: by its name, by a name that means the same, by its value, placeholder, description,
# address or column header, by what stands around it.
_NAME, _MEANING, _IMPLIED, _BESIDE, _AROUND = 1.0, 0.85, 0.8, 0.7, 0.4
_SORT = f"{CONCEPT}sort"
# Where a link leads says something too, in the last part of its address.
_ADDRESS_END = 60
_LABELS = frozenset(("text", "label", "legend", "heading", "term", "caption"))
_BREAKS = frozenset(("row", "listitem", "navigation", "main", "banner", "contentinfo", "table", "grid", "form"))
# What is in a nameless element speaks for it where it is no more than this many nodes: the options of a select.
_INSIDE = 40
# Names that only say how a switch stands.
_STATES = frozenset(("on", "off", "yes", "no", "开", "关"))
_SHORT_LABEL, _LABELLED = 25, 0.55
# A control's caption is no longer than this many characters.
_CAPTION = 48
_DOES = 0.45
# What is spelled otherwise is what was meant, most times.
_SPELLED = 0.9
_SHORTEST_DONE = 4
_UNKNOWN = 0.5
_OF_OPTIONS = frozenset(("combobox", "listbox", "radiogroup"))
# Who says a number means that one.
_NUMBER = 1.4


class Wording:
    """The words of a snapshot's nodes; every question is answered from lists of the nodes that have a word."""

    def __init__(self, snapshot: Snapshot, around: Surroundings, words: Lexicon) -> None:
        self._nodes = snapshot.nodes
        self._around = around
        self._words = words
        self.names = [words.name_bag(node.name) for node in snapshot.nodes]
        self._with_name = _postings(enumerate(self.names))
        beside = ((at, words.bag(_beside(at, snapshot, around))) for at in range(len(snapshot.nodes)))
        self._with_implied: dict[str, set[int]] = {}
        self._with_beside = _postings(beside)
        self._hints = {
            at: words.icon_bag(hint) for at, node in enumerate(snapshot.nodes) if (hint := node.states.get("hint"))
        }
        said = (*implied(snapshot, around, words).items(), *self._hints.items())
        for at, concepts in said:
            for concept in concepts:
                self._with_implied.setdefault(concept, set()).add(at)
        distinct = set(self.names)
        self._total = len(distinct)
        self._counts = {token: len({self.names[at] for at in places}) for token, places in self._with_name.items()}
        self._labels = _labels(snapshot)
        self._known: dict[Unit, dict[int, float]] = {}
        self._weights: dict[Unit, float] = {}

    def matches(self, unit: Unit) -> dict[int, float]:
        """Return, by place, how well each node fits `unit`; those that do not fit are missing."""
        if unit not in self._known:
            self._known[unit] = self._find(unit)
        return self._known[unit]

    def named(self, unit: Unit) -> dict[int, float]:
        """Return, by place, how well each node's own name fits `unit`, or what its structure implies."""
        found = {at: _IMPLIED for concept in unit.concepts for at in self._with_implied.get(concept, ())}
        if unit.tokens:
            first, *others = (self._with_implied.get(token, set[int]()) for token in unit.tokens)
            found.update(dict.fromkeys(first.intersection(*others), _IMPLIED))
        found.update(_having(self._with_name, unit))
        return found or self._spelled_otherwise(unit)

    def _spelled_otherwise(self, unit: Unit) -> dict[int, float]:
        """A word that stands nowhere on the page may be one that is there, with a slip or cut short."""
        if len(unit.tokens) != 1 or unit.literal or unit.concepts:
            return {}
        token = unit.tokens[0]
        found: dict[int, float] = {}
        for meant in spelled(token, self._words.single, cut=False):
            for concept in self._words.concepts[(meant,)]:
                found.update(dict.fromkeys(self._with_name.get(concept, ()), _SPELLED * _MEANING))
        for meant in spelled(token, self._with_name):
            found.update(dict.fromkeys(self._with_name[meant], _SPELLED))
        return found

    def weight(self, unit: Unit) -> float:
        """Return how much `unit` tells: the rarer its words are on the page, the more."""
        if unit not in self._weights:
            counts = [self._counts.get(concept, 0) for concept in unit.concepts]
            count = max([min((self._counts.get(token, 0) for token in unit.tokens), default=0), *counts])
            count = count or len(self.named(unit))
            # A word that neither the page nor the lexicon has may well be the describer's own; one of the lexicon's
            # that is missing here is not.
            unknown = not count and not unit.concepts
            weight = math.log(2 + self._total / (1 + count)) * (
                _NUMBER if unit.tokens and unit.tokens[0].isdigit() else 1.0
            )
            self._weights[unit] = weight * (0.5 if unit.places else _UNKNOWN if unknown else 1.0)
        return self._weights[unit]

    def does(self, at: int, action: Unit) -> bool:
        """Say whether the node is for `action`: what has it among many other words tells a story."""
        match = self.matches(action).get(at, 0.0)
        return match >= _DOES and (self._nodes[at].role == "button" or len(self._nodes[at].name) <= _CAPTION)

    def says_done(self, at: int, actions: Iterable[Unit]) -> bool:
        """Say whether the node tells that one of `actions` has been done ("Connected"), rather than to do it."""
        done = {token for word in self._nodes[at].name.split() if is_done(word) for token in tokens(word)}
        return any(done.intersection(unit.tokens) for unit in actions)

    def sorts(self, at: int) -> bool:
        """Say whether the node is a column's header that sorts by it when it is clicked."""
        return self._nodes[at].role == "columnheader" and _SORT in self.names[at]

    def precision(self, at: int, asked: frozenset[str]) -> float:
        """Return how much of the node's name was asked for, from 0 to 1."""
        name = self.names[at]
        # A count that stands beside a name ("Inbox 12") is no part of it.
        plain = {token for token in name if token[0] != CONCEPT and not token.isdigit()}
        if plain:
            return max(len(plain & asked), bool(name & asked)) / len(plain)
        # A picture alone may mean several things: it gets half.
        picture = name or self._hints.get(at, frozenset[str]())
        return 0.5 * bool(picture & asked)

    def _find(self, unit: Unit) -> dict[int, float]:
        named = self.named(unit)
        beside = _having(self._with_beside, unit)
        around = self._around
        found: dict[int, float] = {}
        for at in range(len(self._nodes)):
            if at in named:
                found[at] = named[at]
            elif at in beside or around.column[at] in named:
                found[at] = _BESIDE * beside.get(at, 1.0) ** 2
            elif self._labels[at] in named:
                found[at] = self._labelled(at)
            elif around.heading[at] in named or around.unit[at] in named or at - 1 in named or at - 2 in named:
                found[at] = _AROUND
        return found

    def _labelled(self, at: int) -> float:
        """What has no name of its own goes by the words before it; a few words right before a name go with it."""
        name = self._nodes[at].name
        if not name or name.casefold() in _STATES:
            return _BESIDE
        right_before = self._labels[at] == at - 1 and len(self._nodes[at - 1].name) <= _SHORT_LABEL
        return _LABELLED if right_before else _AROUND


def is_done(word: str) -> bool:
    """Say whether `word` looks like a past participle of English, such as "connected"."""
    return len(word) > _SHORTEST_DONE and word.strip(".,;:!?'\"").lower().endswith("ed")


def _labels(snapshot: Snapshot) -> list[int]:
    """Return for each node the last text, label or heading before it: what a group of controls goes by."""
    found: list[int] = []
    last = -1
    for at, node in enumerate(snapshot.nodes):
        found.append(last)
        if node.role in _LABELS and node.name:
            last = at
        elif node.role in _BREAKS:
            last = -1
    return found


def _postings(bags: Iterable[tuple[int, frozenset[str]]]) -> dict[str, set[int]]:
    places: defaultdict[str, set[int]] = defaultdict(set)
    for at, bag in bags:
        for token in bag:
            places[token].add(at)
    return dict(places)


def _having(places: dict[str, set[int]], unit: Unit) -> dict[int, float]:
    found: dict[int, float] = {}
    for concept in unit.concepts:
        found.update(dict.fromkeys(places.get(concept, ()), _MEANING))
    if unit.tokens:
        first, *others = (places.get(token, set[int]()) for token in unit.tokens)
        found.update(dict.fromkeys(first.intersection(*others), _NAME))
    return found


def _beside(at: int, snapshot: Snapshot, around: Surroundings) -> str:
    node = snapshot.nodes[at]
    states = node.states
    words = [str(states[name]) for name in ("value", "placeholder", "description") if name in states]
    words += list(map(str, states.get("options", ())))
    if url := str(states.get("url", "")):
        words.append(url.rsplit("//", 1)[-1].split("?", 1)[0][-_ADDRESS_END:])
    inner = range(at + 1, around.end[at])
    if not node.name and node.ref and node.role not in PASSIVE and len(inner) < _INSIDE:
        # What can be acted on inside speaks for itself; the options of a select speak for it.
        speaks = node.role in _OF_OPTIONS or not any(snapshot.nodes[place].ref for place in inner)
        words += [snapshot.nodes[place].name for place in inner if speaks]
    return " ".join(words)
