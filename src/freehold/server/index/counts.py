"""How many documents have a term, remembered for a while: a common word costs more to count than to find."""

from __future__ import annotations

from collections.abc import Iterable

# So many documents are counted one by one; what more have is told by their share.
COUNT_LIMIT = 10_000
# Counts below this are cheap and are made anew each time, so that a small archive ranks by what it holds now.
_WORTH_KEEPING = 1_000
# A kept count serves until the archive has grown by this part.
_GROWTH = 0.1
_MOST = 20_000


class CountCache:
    """Counts of one index."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[int, int]] = {}

    def known(self, space_id: str, terms: Iterable[str], total: int) -> tuple[dict[str, int], list[str]]:
        """Return the counts that are known for a space of `total` documents, and the terms that must be counted."""
        found: dict[str, int] = {}
        missing: list[str] = []
        for term in terms:
            then, count = self._kept.get((space_id, term), (0, 0))
            if then and abs(total - then) <= then * _GROWTH:
                found[term] = round(count * total / then)
            else:
                missing.append(term)
        return found, missing

    def keep(self, space_id: str, term: str, total: int, count: int) -> int:
        """Remember a count where it was dear, and return it."""
        if count >= _WORTH_KEEPING:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            self._kept[space_id, term] = (total, count)
        return count
