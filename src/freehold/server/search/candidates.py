"""Which documents are looked at for an answer: those with every word, then those with the rarest, within a bound."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from freehold.server.index.search_index import SearchIndex
from freehold.server.search.question import Question

# Documents whose text is read and ranked for one query. More would cost time and seldom change the first answers: what
# is left out has none but the query's commonest terms, or is older than so many others that have them all.
BUDGET = 1_500


@dataclass(frozen=True, slots=True)
class Candidates:
    """`strict`: documents that have every word. `loose`: further ones with some. `cut`: not all were looked at."""

    strict: tuple[int, ...]
    loose: tuple[int, ...]
    counts: dict[str, int]
    cut: bool

    @property
    def numbers(self) -> list[int]:
        """All of them, those with every word first."""
        return [*self.strict, *self.loose]


def gather(
    connection: Connection,
    index: SearchIndex,
    space_id: str,
    question: Question,
    *,
    total: int,
    filters: tuple[str, ...] = (),
    budget: int = BUDGET,
    enough: int = 0,
) -> Candidates:
    """Find the candidates for `question` among the `total` documents of a space.

    `filters`: terms that each must have. `enough`: where so many have every word, no other is looked for.
    """
    asked = {*question.terms, *(term for phrase in (*question.must, *question.words) for term in phrase)}
    counts = index.counts(connection, space_id, sorted(asked), total)
    strict: tuple[int, ...] = ()
    cut = False
    needed = [counts[term] for phrase in (*question.must, *question.words) for term in phrase]
    if needed and min(needed):
        expected = _together(needed, total)
        found = index.find(connection, space_id, question.strict(filters), limit=budget, expected=expected, total=total)
        strict, cut = found.numbers, found.cut
    if cut or (enough and len(strict) >= enough):
        return Candidates(strict, (), counts, cut)
    loose, cut = _loose(connection, index, space_id, question, counts, total, filters, budget)
    have = set(strict)
    return Candidates(strict, tuple(number for number in loose if number not in have), counts, cut)


def _loose(
    connection: Connection,
    index: SearchIndex,
    space_id: str,
    question: Question,
    counts: dict[str, int],
    total: int,
    filters: tuple[str, ...],
    budget: int,
) -> tuple[list[int], bool]:
    """Return documents that have one of the rarest terms, as many terms as the budget has room for."""
    present = sorted((term for term in question.terms if counts[term]), key=lambda term: (counts[term], term))
    chosen: list[str] = []
    room = budget
    for term in present:
        if chosen and counts[term] > room:
            break
        chosen.append(term)
        room -= counts[term]
    if not chosen:
        return [], False
    expected = min(total, sum(counts[term] for term in chosen))
    expression = question.any_term(tuple(chosen), filters)
    found = index.find(connection, space_id, expression, limit=budget, expected=expected, total=total)
    return list(found.numbers), found.cut or len(chosen) < len(present)


def _together(counts: list[int], total: int) -> int:
    """Guess how many documents have all: as if words did not know each other, and at least a tenth of the rarest."""
    share = 1.0
    for count in counts:
        share *= min(count / max(total, 1), 1.0)
    return max(round(share * total), min(counts) // 10, 1)
