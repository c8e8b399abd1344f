"""Words of any language as tokens: what `find` compares, and what every search of Freehold indexes and asks.

`tokens` takes a text apart for comparing it with another; `terms` does it for an index, where a name is found whole and
by its parts and Chinese by characters and pairs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer

from freehold.text import english

# Recorded by every index; raised when the same text yields other terms.
VERSION = f"1/{Stemmer.version()}"

# Scripts written without spaces between words: Han, kana, Hangul syllables (which carry particles), Thai, Lao, Khmer,
# Myanmar.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
# Python's \w leaves out the vowel signs of the scripts of India and Tibet, which are part of a word (the danda is not).
_SIGNS = "\u0900-\u0963\u0966-\u0dff\u0f40-\u0fbc"
_LETTER = f"(?:[{_SIGNS}]|[^\\W_{_UNSPACED}])"
_WORD = re.compile(f"(?P<run>[{_UNSPACED}]+)|(?P<number>[0-9]+)|(?P<word>[^\\W\\d_{_UNSPACED}]+)")
_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APOSTROPHE_S = re.compile("['\u2019]s\\b|['\u2019](?=s?\\b)")


@lru_cache(maxsize=16_384)
def tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of `text` in order: stems of words, numbers, and each character of runs without spaces.

    Folded by NFKC and case; `camelCase` and `snake_case` are taken apart.
    """
    found: list[str] = []
    folded = unicodedata.normalize("NFKC", _CAMEL.sub(" ", _APOSTROPHE_S.sub("", text))).casefold()
    for match in _WORD.finditer(folded):
        if match["run"]:
            found.extend(match["run"])
        elif match["word"]:
            found.append(stem(match["word"]))
        else:
            found.append(match["number"])
    return tuple(found)


_ONE_UNSPACED = re.compile(f"[{_UNSPACED}]")


def is_unspaced(token: str) -> bool:
    """Say whether `token` is one letter of a script written without spaces."""
    return _ONE_UNSPACED.fullmatch(token) is not None and token.isalpha()


# Words joined as in `src/app.py`, `os.path`, `Grid::place`, `well-known`, `user@host` are one name; so are
# `camelCase`, `snake_case` and `utf8`.
_CHUNK = re.compile(f"[{_UNSPACED}]+|{_LETTER}+(?:[-_./\\\\:@'\u2019\u2010]+{_LETTER}+)*")
_JOINT = re.compile("[./\\\\:@'\u2019]+")
_PART = re.compile(f"{_LETTER}+")
_TURN = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\\W\\d])(?=\\d)|(?<=\\d)(?=[^\\W\\d])")
# "it's" is "it", "don't" is one word; in other places an apostrophe joins two, as in "l'avion".
_CONTRACTION = re.compile("['\u2019](?:s|re|ve|ll|d|m)\\b|(?<=n)['\u2019](?=t\\b)", re.IGNORECASE)
# What readers do not see, and some writers leave out: soft hyphens, joiners, points of Hebrew and Arabic, accents that
# NFKC found no letter for.
_UNSEEN = re.compile(
    "[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u200b-\u200f\u2060\ufeff]"
)
# Longer words are not words but encoded data; nobody types them, and an index need not hold them whole.
_LONGEST = 64


def terms(text: str) -> list[str]:
    """Return the terms of `text` in order, for an index or a query.

    Words are stems (Snowball's, by script); a name is kept whole, without
    its separators, before its parts; a run of a
    script without spaces is each character followed by the pair that it begins. No term holds anything but letters and
    digits.
    """
    return joined_terms(text).split()


def joined_terms(text: str) -> str:
    """Return the terms of `text` with a space between each, as a full-text index takes them."""
    if not text.isascii():
        text = _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(filter(None, map(_KNOWN.__getitem__, _CHUNK.findall(text))))


class _Known(dict[str, str]):
    """The terms of each chunk that was met; a text repeats its words, so most are met again."""

    def __missing__(self, chunk: str) -> str:
        found = " ".join(_pairs(chunk) if _ONE_UNSPACED.match(chunk) else _named(chunk))
        if len(chunk) <= _LONGEST:
            # About 10 MB; clearing is rare and costs less than keeping an order.
            if len(self) >= 65_536:
                self.clear()
            self[chunk] = found
        return found


_KNOWN = _Known()


def _pairs(run: str) -> list[str]:
    run = _folded(run)
    pairs = [one + two for one, two in zip(run, run[1:], strict=False)]
    return [term for both in zip(run, pairs, strict=False) for term in both] + [run[-1]]


def _named(chunk: str) -> list[str]:
    names = _JOINT.split(_CONTRACTION.sub("", chunk))
    found = [term for name in names for term in _parted(_PART.findall(name))]
    return _whole("".join(_PART.findall(chunk))) + found if len(names) > 1 else found


def _parted(words: list[str]) -> list[str]:
    parts = [part for word in words for part in _TURN.split(word)]
    stems = [stem(_folded(part)[:_LONGEST]) for part in parts]
    return _whole("".join(words)) + stems if len(parts) > 1 else stems


def _whole(name: str) -> list[str]:
    folded = _folded(name)
    return [folded] if len(folded) <= _LONGEST else []


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


def stem(word: str) -> str:
    """Return the stem of the folded `word` by the Snowball stemmer of its script; English where that is Latin."""
    for first, last, stemmer in _STEMMERS:
        if first <= word[0] <= last:
            return stemmer.stemWord(english.BASES.get(word, word)) or word
    return word
