"""What a model is shown of a page: the elements that can be meant, each with a few words of where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from freehold.browser.find import Candidate
from freehold.browser.marks import shown_text
from freehold.browser.roles import is_interactive
from freehold.browser.snapshot import Node, Snapshot
from freehold.browser.surroundings import Surroundings

# Beside the candidates of the local ranking, which knows words only, elements that it may have missed fill up the list.
_LINES = 60
_CHARACTERS = 6_000
_NAME, _PLACE, _HINT = 80, 60, 40
_STATES = ("checked", "selected", "expanded", "pressed", "disabled", "required", "invalid", "current")


@dataclass(frozen=True, slots=True)
class Offer:
    """The elements that are offered, and the lines, one each in reading order, that tell of them."""

    candidates: Sequence[Candidate]
    text: str


def offer(snapshot: Snapshot, candidates: Sequence[Candidate]) -> Offer:
    """Return `candidates`, and what else can be acted on, as far as there is room for it."""
    around = Surroundings(snapshot)
    room = _CHARACTERS
    chosen: dict[int, tuple[Candidate, str]] = {}
    for candidate in (*candidates, *_others(snapshot, candidates)):
        line = _line(snapshot, around, candidate)
        if len(chosen) == _LINES or len(line) >= room:
            break
        room -= len(line) + 1
        chosen[candidate.at] = candidate, line
    ordered = [chosen[at] for at in sorted(chosen)]
    return Offer([candidate for candidate, _ in ordered], "\n".join(line for _, line in ordered))


def _others(snapshot: Snapshot, candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the other elements that can be acted on; of those that look alike to a reader, the first."""
    known = {(candidate.role, candidate.name) for candidate in candidates}
    for at, node in enumerate(snapshot.nodes):
        if is_interactive(node) and (node.role, node.name) not in known:
            if node.name:
                known.add((node.role, node.name))
            yield Candidate(node.ref, node.role, node.name, "the model's choice", 0.0, at)


def _line(snapshot: Snapshot, around: Surroundings, candidate: Candidate) -> str:
    node = snapshot.nodes[candidate.at]
    parts = [f"{node.ref} {node.role} {shown_text(node.name, _NAME)}".rstrip(), *_details(node)]
    parts += [f"{word}: {shown_text(text, _PLACE)}" for word, text in _places(snapshot, around, candidate.at) if text]
    return " | ".join(parts)


def _details(node: Node) -> Iterator[str]:
    states = node.states
    for name in _STATES:
        if name in states:
            yield name if states[name] is True else f"{name}={shown_text(str(states[name]), _HINT)}"
    for name in ("value", "placeholder", "description", "hint"):
        if name in states and (text := str(states[name])) and text != node.name:
            yield f"{name}={shown_text(text, _HINT)}"


def _places(snapshot: Snapshot, around: Surroundings, at: int) -> Iterator[tuple[str, str]]:
    nodes = snapshot.nodes
    unit = around.unit[at]
    if unit >= 0 and around.is_small(unit):
        said = dict.fromkeys(
            nodes[place].name for place in range(unit, around.end[unit]) if place != at and nodes[place].name
        )
        yield "in", " / ".join(said)
    elif at and not nodes[at].name and nodes[at - 1].name:
        yield "after", nodes[at - 1].name
    heading = around.heading[at]
    yield "under", nodes[heading].name if heading >= 0 else ""
