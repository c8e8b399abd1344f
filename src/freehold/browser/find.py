"""Local ranking of a snapshot's elements against a description."""

from __future__ import annotations

from dataclasses import dataclass

from freehold.browser.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that may be meant, and why."""

    ref: int
    role: str
    name: str
    why: str
    score: float


def rank(snapshot: Snapshot, query: str, limit: int = 20) -> list[Candidate]:
    """Return the elements that fit best."""
    words = query.casefold().split()
    fit = [(sum(word in f"{node.role} {node.name}".casefold() for word in words), node) for node in snapshot.nodes if node.ref]
    best = sorted((each for each in fit if each[0]), key=lambda each: -each[0])[:limit]
    return [Candidate(node.ref, node.role, node.name, "words", score) for score, node in best]
