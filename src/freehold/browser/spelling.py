"""Words of a description as a page spells them: with a slip of the keys, cut short, or written as one word."""

from __future__ import annotations

from collections.abc import Collection

# Shorter words differ from too many others by one letter.
_SHORTEST = 4
# From this length on a word may have two slips.
_LONG = 8
# An ending that a short form leaves out ("specs", "info", "config") is at least so long, and the form at least this.
_CUT, _SHORT_FORM = 2, 4


def spelled(token: str, known: Collection[str], *, cut: bool = True) -> frozenset[str]:
    """Return the words of `known` that `token` may stand for; empty where it is one of them, or like none.

    `cut`: also as their short form.
    """
    if token in known or len(token) < _SHORTEST or not token.isascii() or not token.isalpha():
        return frozenset()
    if cut and (longer := frozenset(word for word in known if _is_short_form(token, word))):
        return longer
    # 8 ms, and few descriptions have a word that stands nowhere.
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    slips = 1 + (len(token) >= _LONG)
    alike = {
        word: OSA.distance(token, word, score_cutoff=slips)
        for word in known
        if word[:1] == token[:1] and abs(len(word) - len(token)) <= slips and word.isalpha()
    }
    nearest = min(alike.values(), default=slips + 1)
    return frozenset(word for word, distance in alike.items() if distance == nearest <= slips)


def _is_short_form(short: str, word: str) -> bool:
    return len(short) >= _SHORT_FORM and len(word) - len(short) >= _CUT and word.startswith(short)
