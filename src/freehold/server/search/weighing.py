"""How often the candidates have the query's terms: from the index, and where a term is too common, from some texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import Connection

from freehold.server.index.search_index import SearchIndex
from freehold.server.search import bm25
from freehold.server.search.candidates import Candidates
from freehold.server.search.question import Question
from freehold.text.analyzer import joined_terms

# The candidates whose text is read for the commonest terms: those that stand first without them. What these add is
# little, since they tell little.
_READ = 150
_COMMON = 20_000
# Characters of a text that are read.
_CHARACTERS = 10_000

Frequencies = dict[int, dict[str, int]]


def weigh(
    connection: Connection,
    index: SearchIndex,
    space_id: str,
    question: Question,
    found: Candidates,
    *,
    total: int,
    texts: Callable[[Sequence[int], int], Mapping[int, str]],
) -> Frequencies:
    """Return how often each candidate has each term.

    `texts`: gives the first characters of documents by their numbers. `total`: how many documents the space has.
    """
    present = [term for term in question.terms if found.counts.get(term)]
    numbers = found.numbers
    # The index need not be asked for what it would not count.
    common = [term for term in present if found.counts[term] > _COMMON]
    often = index.often(connection, space_id, [term for term in present if term not in common], numbers)
    unread = [*often.unknown, *common]
    if not unread:
        return often.counts
    weights = bm25.weights(present, found.counts, total)
    strict = set(found.strict)

    def first(number: int) -> tuple[float, bool, int]:
        has = often.counts[number]
        return sum(weights[term] * min(count, 3) for term, count in has.items()), number in strict, number

    best = sorted(numbers, key=first, reverse=True)[:_READ]
    for number, text in texts(best, _CHARACTERS).items():
        often.counts[number].update(bm25.frequencies(joined_terms(text), unread))
    return often.counts
