"""Words of any language as tokens: what `find` compares, and what every search of Freehold indexes and asks.

`tokens` takes a text apart, in order: for comparing it with another and for phrases. `terms` adds what an index needs
beside them: names whole, and pairs of characters where a script has no spaces.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

import Stemmer

from freehold.text import english

# Recorded by every index; raised when the same text yields other terms.
VERSION = f"2/{Stemmer.version()}"

# Scripts written without spaces between words: Han, kana, Hangul syllables (which carry particles), Thai, Lao, Khmer,
# Myanmar.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
# Python's \w leaves out the vowel signs of the scripts of India and Tibet, which are part of a word (the danda is not).
_SIGNS = "\u0900-\u0963\u0966-\u0dff\u0f40-\u0fbc"
_LETTERS = f"(?:[^\\W_{_UNSPACED}]++|[{_SIGNS}]++)++"
_ONE_UNSPACED = f"[{_UNSPACED}]"
# Compiling what has these sets takes 0.016 s, which text in ASCII never needs: they stay text until then.
# Words joined as in `src/app.py`, `os.path`, `Grid::place`, `user@host` are one name; so are `camelCase`, `snake_case`,
# `well-known` and `utf8`.
CHUNK = f"[{_UNSPACED}]+|{_LETTERS}(?:[-_./\\\\:@'\u2019\u2010]+{_LETTERS})*"
# The same for ASCII, in half the time.
ASCII_CHUNK = re.compile("[A-Za-z0-9]+(?:[-_./\\\\:@']+[A-Za-z0-9]+)*")
_JOINT = re.compile("[./\\\\:@'\u2019]+")
_ASCII_PART = re.compile("[A-Za-z0-9]+")
_TURN = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\\W\\d])(?=\\d)|(?<=\\d)(?=[^\\W\\d])")
# "it's" is "it", "don't" is one word; in other places an apostrophe joins two, as in "l'avion".
_CONTRACTION = re.compile("['\u2019](?:s|re|ve|ll|d|m)\\b|(?<=n)['\u2019](?=t\\b)|(?<=s)['\u2019]", re.IGNORECASE)
# What readers do not see, and some writers leave out: soft hyphens, joiners, points of Hebrew and Arabic, accents that
# NFKC found no letter for.
_UNSEEN = re.compile(
    "[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u200b-\u200f\u2060\ufeff]"
)
# Longer words are not words but encoded data; nobody types them, and an index need not hold them whole.
_LONGEST = 64


@lru_cache(maxsize=16_384)
def tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of `text` in order: stems of words, numbers, and each character of runs without spaces.

    Folded by NFKC and case; `camelCase` and `snake_case` are taken apart. No token holds anything but letters, digits
    and the signs of scripts that write vowels beside them.
    """
    known = _VOCABULARY.known()
    return tuple(token for chunk in chunks(text) for token in known[chunk].split())


def terms(text: str) -> list[str]:
    """Return the terms of `text` for an index or a query: its tokens in order, then what is found whole beside them.

    That is each name without its separators, and each pair of neighbours in a run of a script without spaces.
    """
    return joined_terms(text).split()


def joined_terms(text: str) -> str:
    """Return the terms of `text` with a space between each, as a full-text index takes them."""
    known, cut = _VOCABULARY.known(), chunks(text)
    each = " ".join(filter(None, map(known.__getitem__, cut)))
    if known.beside.keys().isdisjoint(cut):
        return each
    return " ".join(filter(None, [each, *[known.beside[chunk] for chunk in cut if chunk in known.beside]]))


def chunks(text: str) -> list[str]:
    """Return what `text` is cut into first, in order: names and runs, folded by NFKC but not by case."""
    if text.isascii():
        return ASCII_CHUNK.findall(text)
    return re.findall(CHUNK, _UNSEEN.sub("", unicodedata.normalize("NFKC", text)))


def is_unspaced(token: str) -> bool:
    """Say whether `token` is one letter of a script written without spaces."""
    return not token.isascii() and re.fullmatch(_ONE_UNSPACED, token) is not None and token.isalpha()


def stem(word: str) -> str:
    """Return the stem of the folded `word` by the Snowball stemmer of its script; English where that is Latin."""
    for first, last, stemmer in _STEMMERS:
        if first <= word[0] <= last:
            return stemmer.stemWord(english.BASES.get(word, word)) or word
    return word


class _Known(dict[str, str]):
    """The tokens of each chunk that was met; a text repeats its words, so most are met again.

    `beside`: what is found whole beside them, of the chunks that have such.
    """

    def __init__(self) -> None:
        super().__init__()
        self.beside: dict[str, str] = {}
        self.characters = 0

    def __missing__(self, chunk: str) -> str:
        each, beside = _analysed(chunk)
        if beside:
            self.beside[chunk] = beside
        self.characters += len(chunk)
        self[chunk] = each
        return each


class _Vocabulary:
    """The chunks met so far: about 10 MB of them, then anew, which is rare and costs less than keeping an order."""

    def __init__(self) -> None:
        self._known = _Known()

    def known(self) -> _Known:
        """Return them. A new one takes the place of a full one, since another thread may be reading that."""
        if self._known.characters > 400_000:
            self._known = _Known()
        return self._known


_VOCABULARY = _Vocabulary()


def _analysed(chunk: str) -> tuple[str, str]:
    if len(chunk) <= _LONGEST and chunk.isascii() and chunk.isalpha() and (chunk.islower() or chunk.istitle()):
        return stem(chunk.lower()), ""
    each, beside = _run(chunk) if not chunk.isascii() and re.match(_ONE_UNSPACED, chunk) else _name(chunk)
    return " ".join(filter(None, each)), " ".join(filter(None, beside))


def _run(run: str) -> tuple[list[str], list[str]]:
    return list(run), [one + other for one, other in pairwise(run)]


def _name(chunk: str) -> tuple[list[str], list[str]]:
    each: list[str] = []
    wholes: list[str] = []
    letters = _ASCII_PART if chunk.isascii() else _LETTERS
    names = [re.findall(letters, name) for name in _JOINT.split(_CONTRACTION.sub("", chunk))]
    for words in names:
        parts = [part for word in words for part in _TURN.split(word)]
        each += [stem(folded[:_LONGEST]) for part in parts if (folded := _folded(part))]
        if len(parts) > 1:
            wholes += _without_number(words)
            wholes.append(_folded("".join(words)))
    if len(names) > 1:
        wholes.append(_folded("".join(word for words in names for word in words)))
    return each, [whole for whole in wholes if len(whole) <= _LONGEST]


def _without_number(words: list[str]) -> list[str]:
    """Return the name whole without the number behind it: "oauth" finds OAuth2."""
    name = "".join(words).rstrip("0123456789")
    return [_folded(name)] if name and len(name) < len("".join(words)) and _TURN.search(name) else []


def _folded(word: str) -> str:
    folded = word.casefold()
    # Casefolding takes some letters apart, such as the Turkish I with its dot.
    return folded if folded.isascii() else _UNSEEN.sub("", unicodedata.normalize("NFKC", folded))


_STEMMERS = [
    (first, last, Stemmer.Stemmer(language, 0))
    for first, last, language in (
        ("a", "\u024f", "english"),
        ("\u0370", "\u03ff", "greek"),
        ("\u0400", "\u04ff", "russian"),
        ("\u0530", "\u058f", "armenian"),
        ("\u0600", "\u06ff", "arabic"),
        ("\u0900", "\u097f", "hindi"),
        ("\u0b80", "\u0bff", "tamil"),
    )
]
