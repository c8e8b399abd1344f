"""Okapi's BM25 over the candidates of one query, the same on every database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log

# FTS5's own constants, which nothing measured better than.
K1, B = 1.2, 0.75
# A document that has every word of the query as it stands is lifted by this part of its score.
STRICT_LIFT = 0.5


def idf(total: int, having: int) -> float:
    """Return how much a term tells that `having` of `total` documents have."""
    having = min(having, total)
    return log(1 + (total - having + 0.5) / (having + 0.5))


def weights(terms: Iterable[str], counts: Mapping[str, int], total: int) -> dict[str, float]:
    """Return what each term that some document has tells."""
    return {term: idf(total, counts[term]) for term in terms if counts.get(term)}


def frequencies(joined: str, terms: Iterable[str]) -> dict[str, int]:
    """Return how often each of `terms` stands in `joined`, terms with a space between each."""
    text = f" {joined} ".replace(" ", "  ")
    return {term: often for term in terms if (often := text.count(f" {term} "))}


def score(often: Mapping[str, float], weighted: Mapping[str, float], length: float, average: float) -> float:
    """Return the score of a document of `length` terms that has each term `often` times."""
    norm = K1 * (1 - B + B * length / max(average, 1.0))
    return sum(weighted[term] * count * (K1 + 1) / (count + norm) for term, count in often.items())
