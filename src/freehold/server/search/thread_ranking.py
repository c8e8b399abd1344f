"""How well threads answer: their own score with part of their best message's, as topics and sections are ranked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from freehold.server.search import bm25
from freehold.server.search.found_messages import FoundMessage
from freehold.server.search.found_threads import FoundThread
from freehold.server.search.question import Question
from freehold.server.store.document import TITLE_WEIGHT
from freehold.server.store.totals import Totals

# What the messages before and after say counts this much for the one between, as it does for sections of a topic.
_NEIGHBOUR = 0.3
# A thread's rank is its own score with this much of its best message's.
_BESIDE = 0.3


@dataclass(frozen=True, slots=True)
class RankedThread:
    """A thread with its score, and its messages that matched with theirs, best first. `relevance`: 0 to 1."""

    number: int
    score: float
    relevance: float
    messages: list[tuple[FoundMessage, float]]


def rank(
    question: Question,
    totals: Totals,
    messages: Sequence[FoundMessage],
    threads: Sequence[FoundThread],
    counts: Mapping[str, int],
) -> list[RankedThread]:
    """Return `threads` with their `messages`, best first, among equals the newest. `counts`: messages with a term."""
    scored = _scored_messages(question, totals, messages, counts)
    often = _often(messages, threads)
    weights = bm25.weights(question.terms, _having(question, often, messages, counts, totals), totals.threads)
    average = totals.terms / max(totals.threads, 1)
    found: list[tuple[float, FoundThread]] = []
    for thread in threads:
        own = bm25.score(often[thread.number], weights, thread.length, average)
        best = scored[thread.number][0] if scored[thread.number] else None
        found.append(((own + _BESIDE * best[1]) * best[0].lift if best else own, thread))
    found.sort(key=lambda each: (-each[0], -each[1].number))
    top = max((score for score, _ in found), default=0.0)
    return [
        RankedThread(thread.number, score, _relevance(score, top), scored[thread.number]) for score, thread in found
    ]


def _relevance(score: float, top: float) -> float:
    """Return a score as clients show it: 1 for the best, four places."""
    return round(score / top, 4) if top > 0 else 0.0


def _often(messages: Sequence[FoundMessage], threads: Sequence[FoundThread]) -> dict[int, dict[str, float]]:
    """Return how often each thread has each term, in all messages and, for more, in its title."""
    often: dict[int, dict[str, float]] = {
        thread.number: {term: float(TITLE_WEIGHT * count) for term, count in thread.often.items()} for thread in threads
    }
    for message in messages:
        of = often.setdefault(message.thread, {})
        for term, count in message.often.items():
            of[term] = of.get(term, 0.0) + count
    return often


def _having(
    question: Question,
    often: Mapping[int, Mapping[str, float]],
    messages: Sequence[FoundMessage],
    counts: Mapping[str, int],
    totals: Totals,
) -> dict[str, int]:
    """Return in how many threads each term stands; where not all messages were read, as many as their share tells."""
    having: dict[str, int] = {}
    for term in question.terms:
        threads = sum(term in of for of in often.values())
        read = sum(term in message.often for message in messages)
        share = counts.get(term, 0) / read if read else 1.0
        having[term] = min(totals.threads, max(threads, round(threads * share)))
    return having


def _scored_messages(
    question: Question, totals: Totals, messages: Sequence[FoundMessage], counts: Mapping[str, int]
) -> defaultdict[int, list[tuple[FoundMessage, float]]]:
    """Return the messages of each thread with their scores, best first; their neighbours' words count in part."""
    weights = bm25.weights(question.terms, counts, totals.messages)
    average = totals.terms / max(totals.messages, 1)
    at = {(message.thread, message.order_index): message for message in messages}
    scored: defaultdict[int, list[tuple[FoundMessage, float]]] = defaultdict(list)
    for message in messages:
        often = {term: float(count) for term, count in message.often.items()}
        window = [message.length]
        for beside in (message.order_index - 1, message.order_index + 1):
            if neighbour := at.get((message.thread, beside)):
                window.append(neighbour.length)
                for term, count in neighbour.often.items():
                    often[term] = often.get(term, 0.0) + _NEIGHBOUR * count
        length = sum(window) / len(window)
        scored[message.thread].append((message, bm25.score(often, weights, length, average) * message.lift))
    for of in scored.values():
        of.sort(key=lambda each: (-each[1], each[0].order_index))
    return scored
