"""`find` without a model: the elements of a snapshot that fit a description, best first (docs/find.md).

A description is read in several ways (see `readings`); in each, an element's score is the share of the words' weight
that it fits: its own words and role as the thing, its surroundings as the place. The best reading counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from freehold.browser.fits import Fit, Fits
from freehold.browser.lexicon import lexicon
from freehold.browser.readings import readings
from freehold.browser.snapshot import Node, Snapshot
from freehold.text.analyzer import tokens

LIMIT = 20
# Some element must fit at least this share of the description, by weight; below it "nothing fits" is the better answer.
_FITS = 0.43
# A description is a sentence; of a longer text each word would be looked for on the whole page.
_LONGEST = 500
# What fits so much less than the best one would only be read in vain.
_WORTH_NAMING = 0.4


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that fits.

    `why` says in a few words what of the description it fits, `score` goes from 0 to about 1, `at` is its place in
    `Snapshot.nodes`.
    """

    ref: int
    role: str
    name: str
    why: str
    score: float
    at: int = 0


def rank(snapshot: Snapshot, query: str, limit: int = LIMIT) -> list[Candidate]:
    """Return up to `limit` elements that fit `query`, best first.

    Empty where nothing fits. Only elements with a ref are candidates.
    """
    ranked = _ranked(snapshot, query)
    if not ranked or ranked[0].score < _FITS:
        return []
    least = _WORTH_NAMING * ranked[0].score
    return _candidates(snapshot, query, [fit for fit in ranked[:limit] if fit.score >= least])


def near(snapshot: Snapshot, query: str, limit: int = LIMIT) -> list[Candidate]:
    """Return what `rank` does, and where nothing fits what comes nearest: for someone who can judge it."""
    return _candidates(snapshot, query, _ranked(snapshot, query)[:limit])


def _ranked(snapshot: Snapshot, query: str) -> list[Fit]:
    query = query[:_LONGEST]
    words = lexicon()
    page = Fits(snapshot, words, query)
    best: dict[int, Fit] = {}
    for reading in readings(query, words):
        for fit in page.of(reading):
            if fit.at not in best or fit.score > best[fit.at].score:
                best[fit.at] = fit
    return sorted(best.values(), key=lambda fit: (-fit.score, fit.at))


def _candidates(snapshot: Snapshot, query: str, ranked: list[Fit]) -> list[Candidate]:
    spoken = {stem: word for word in query.split() for stem in tokens(word)}
    return [_candidate(snapshot.nodes[fit.at], fit, spoken) for fit in ranked]


def _candidate(node: Node, fit: Fit, spoken: dict[str, str]) -> Candidate:
    said = [
        " ".join(dict.fromkeys(spoken.get(token, token).strip(".,;:()'\"") for token in unit.tokens))
        for unit in fit.units
    ]
    return Candidate(node.ref, node.role, node.name, ", ".join((*said, *fit.notes)), round(fit.score, 3), fit.at)
