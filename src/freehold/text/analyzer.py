"""Words of any language as tokens: what `find` compares, and what every search of Freehold indexes and asks."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Scripts written without spaces between words: Han, kana, Hangul syllables (which carry particles), Thai, Lao, Khmer,
# Myanmar.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
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


_ENDINGS = (("ies", "y", 5), ("sses", "ss", 5), ("ches", "ch", 5), ("shes", "sh", 5), ("xes", "x", 4), ("s", "", 4))


def stem(word: str) -> str:
    """Return an English word without the endings of number and tense; words of other languages keep all but a final s.

    Deliberately weaker than Porter's: it may miss that two words are one, and seldom makes one of two.
    """
    if not word.isascii() or len(word) < 4:
        return word
    for ending, instead, least in _ENDINGS:
        if word.endswith(ending) and len(word) >= least and not word.endswith(("ss", "us", "is")):
            word = word[: -len(ending)] + instead
            break
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and re.search("[aeiouy]", base):
            word = base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz" else base
            break
    return word.removesuffix("e") if len(word) > 3 else word
