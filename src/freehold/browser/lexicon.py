"""The words of `lexicon.toml`, found in runs of tokens."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import msgspec

from freehold.text.analyzer import is_unspaced, stem, terms, tokens

CONCEPT = "§"
_APART = re.compile(r"\b(editi)on(?=s?\b)", re.IGNORECASE)


class _Relations(msgspec.Struct, forbid_unknown_fields=True):
    before: list[str]
    next: list[str]
    previous: list[str]
    over: list[str]
    behind_over: list[str]
    behind: list[str]
    behind_next: list[str]
    behind_previous: list[str]


class _Words(msgspec.Struct, forbid_unknown_fields=True):
    words: list[str]


class _File(msgspec.Struct, forbid_unknown_fields=True):
    synonyms: dict[str, list[str]]
    roles: dict[str, list[str]]
    states: dict[str, tuple[str, bool]]
    places: dict[str, list[str]]
    ordinals: dict[str, int]
    relations: _Relations
    glyphs: dict[str, str]
    whole: dict[str, str]
    icons: dict[str, str]
    utility: _Words
    ignored: _Words
    soft: _Words
    actions: _Words


def apart(text: str) -> str:
    """Return `text` with the words changed that the stemmer would take for others: an edition edits nothing."""
    return _APART.sub(r"\1o", text)


class Lexicon:
    """What phrases mean; every phrase is a tuple of tokens, so that one look-up serves every language."""

    def __init__(self, file: _File) -> None:
        self.concepts: dict[tuple[str, ...], frozenset[str]] = {}
        for concept, phrases in file.synonyms.items():
            for phrase in map(tokens, phrases):
                self.concepts[phrase] = self.concepts.get(phrase, frozenset()) | {CONCEPT + concept}
        self.roles = {tokens(phrase): tuple(roles) for phrase, roles in file.roles.items()}
        self.states = {tokens(phrase): state for phrase, state in file.states.items()}
        self.places = {tokens(phrase): tuple(roles) for phrase, roles in file.places.items()}
        self.ordinals = {tokens(phrase): number for phrase, number in file.ordinals.items()}
        self.relations = {
            tokens(phrase): name
            for name, phrases in msgspec.structs.asdict(file.relations).items()
            for phrase in phrases
        }
        self._glyphs: dict[str, set[str]] = {}
        for concept, points in file.glyphs.items():
            for point in points.split():
                self._glyphs.setdefault(chr(int(point, 16)), set()).add(CONCEPT + concept)
        self.single = frozenset(phrase[0] for phrase in self.concepts if len(phrase) == 1)
        self._whole: dict[str, set[str]] = {}
        for concept, names in file.whole.items():
            for name in names.split():
                self._whole.setdefault(name.casefold(), set()).add(CONCEPT + concept)
        self._utility = frozenset(map(tokens, file.utility.words))
        self._icons: dict[str, set[str]] = {}
        for concept, names in file.icons.items():
            for token in tokens(names):
                self._icons.setdefault(token, set()).add(CONCEPT + concept)
        self.ignored = frozenset(map(tokens, file.ignored.words))
        self.actions = frozenset(CONCEPT + name for name in file.actions.words)
        self.soft = frozenset(map(tokens, file.soft.words))
        self._meanings = (self.roles, self.states, self.places, self.ordinals, self.relations, self.ignored)
        self.longest = max(len(phrase) for table in (self.concepts, *self._meanings) for phrase in table)
        self._openings = {phrase[0] for phrase in self.concepts}

    def phrase_at(self, run: tuple[str, ...], at: int) -> tuple[str, ...]:
        """Return the longest phrase with a meaning that starts at `at` of `run`, or the one token there."""
        for length in range(min(self.longest, len(run) - at), 1, -1):
            phrase = run[at : at + length]
            if phrase in self.concepts or any(phrase in table for table in self._meanings):
                return phrase
        return run[at : at + 1]

    @lru_cache(maxsize=16_384)  # noqa: B019 - there is one lexicon a process
    def bag(self, text: str) -> frozenset[str]:
        """Return what a description can match in `text`.

        Its tokens, pairs of unspaced characters, and the concepts of its phrases.
        """
        run = tokens(apart(text))
        found = {*run, *map(stem, terms(text))}
        for at, token in enumerate(run):
            if token in self._openings:
                for end in range(at + 1, min(at + self.longest, len(run)) + 1):
                    found |= self.concepts.get(run[at:end], frozenset())
            if at and is_unspaced(token) and is_unspaced(run[at - 1]):
                found.add(run[at - 1] + token)
        if not text.isascii():
            for glyph in self._glyphs.keys() & set(text):
                found |= self._glyphs[glyph]
        return frozenset(found)

    def name_bag(self, name: str) -> frozenset[str]:
        """Return what a description can match in an element's name, also where the whole of it is a sign."""
        whole = self._whole.get(name.strip(" :*.").casefold())
        return self.bag(name) | whole if whole else self.bag(name)

    def icon_bag(self, hint: str) -> frozenset[str]:
        """Return what a description can match in the names that an icon's maker used."""
        said = tuple(token for token in tokens(hint) if (token,) not in self._utility)
        found = self.bag(" ".join(said))
        return found.union(*(self._icons.get(token, ()) for token in said))


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the lexicon that is shipped beside this file."""
    return Lexicon(msgspec.toml.decode(Path(__file__).with_name("lexicon.toml").read_bytes(), type=_File))
