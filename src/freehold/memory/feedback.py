"""Pseudo-relevance feedback: what the best answers say beside the query's words, as more words to search for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from freehold.memory.ranking import Ranked
from freehold.text.query import is_function_word

# Of the terms that several sections of so many answers share, these many are added, with at most this weight.
ANSWERS, _TERMS, _WEIGHT = 5, 10, 0.4


def expanded(terms: Sequence[str], answers: Sequence[Ranked], tells: Callable[[str], float]) -> dict[str, float]:
    """Return `terms` with weight 1, and with less what several sections of `answers` say.

    `tells`: how much a term tells, the rarer the more.
    """
    weights = dict.fromkeys(terms, 1.0)
    said: Counter[str] = Counter()
    for answer in answers[:ANSWERS]:
        said.update({term for term in _own_terms(answer) if _tells(term)} - weights.keys())
    worth = {term: count * tells(term) for term, count in said.items() if count > 1}
    chosen = sorted(worth, key=lambda term: (-worth[term], term))[:_TERMS]
    return weights | {term: _WEIGHT * worth[term] / worth[chosen[0]] for term in chosen}


def _own_terms(answer: Ranked) -> list[str]:
    if answer.part < 0:
        return []
    part = answer.entry.parts[answer.part]
    return answer.entry.columns[3][part.start :].split()[: part.length]


def _tells(term: str) -> bool:
    return (len(term) > 2 or not term.isascii()) and not is_function_word(term) and not term.isdigit()
