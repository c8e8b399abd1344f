"""Where the nodes of a snapshot stand: what is around each, and how near two of them are to a reader."""

from __future__ import annotations

from collections.abc import Iterator

from freehold.browser.snapshot import Node, Snapshot

_CELLS = frozenset(("cell", "gridcell", "columnheader", "rowheader"))
_UNITS = frozenset(("row", "listitem", "article", "group", "figure", "option", "treeitem", "term", "definition"))
# Up to this many nodes an element is one thing to a reader: a row, a card.
_SMALL = 30


class Surroundings:
    """Parents, ends of subtrees, headings and columns, by place in `Snapshot.nodes`."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.nodes = snapshot.nodes
        self.parent: list[int] = []
        self.heading: list[int] = []
        self.end = [len(self.nodes)] * len(self.nodes)
        self._place()

    def _place(self) -> None:
        open_: list[int] = []
        heading = -1
        for at, node in enumerate(self.nodes):
            while open_ and self.nodes[open_[-1]].depth >= node.depth:
                self.end[open_.pop()] = at
            self.parent.append(open_[-1] if open_ else -1)
            self.heading.append(heading)
            if node.role == "heading":
                heading = at
            open_.append(at)

    def ancestors(self, at: int) -> Iterator[int]:
        """Yield the elements around `at`, innermost first."""
        while (at := self.parent[at]) >= 0:
            yield at

    def unit(self, at: int) -> int:
        """Return the row, list item or card that `at` is in, or -1."""
        return next((place for place in self.ancestors(at) if self.nodes[place].role in _UNITS), -1)

    def data_rows(self) -> list[int]:
        """Return the rows that hold data, not the column headers."""
        return [
            at
            for at, node in enumerate(self.nodes)
            if node.role == "row" and not any(self.nodes[place].role == "columnheader" for place in range(at + 1, self.end[at]))
        ]

    def column(self, at: int) -> Node | None:
        """Return the header of the column that `at` stands in."""
        cell = at if self.nodes[at].role in _CELLS else next((p for p in self.ancestors(at) if self.nodes[p].role in _CELLS), -1)
        row = next((place for place in self.ancestors(cell) if self.nodes[place].role == "row"), -1) if cell >= 0 else -1
        table = next((p for p in self.ancestors(row) if self.nodes[p].role in {"table", "grid", "treegrid"}), -1) if row >= 0 else -1
        if table < 0:
            return None
        index = self._cells(row).index(cell) if cell in self._cells(row) else -1
        headers = [place for place in range(table + 1, min(self.end[table], table + 60)) if self.nodes[place].role == "columnheader"]
        return self.nodes[headers[index]] if 0 <= index < len(headers) and cell not in headers else None

    def _cells(self, row: int) -> list[int]:
        return [place for place in range(row + 1, self.end[row]) if self.nodes[place].role in _CELLS]

    def nearness(self, at: int, anchor: int) -> float:
        """Return from 0 to 1 how much a reader takes `at` as belonging to `anchor`."""
        if at == anchor:
            return 0.3
        if anchor < at < self.end[anchor]:
            return 1.0 if self.end[anchor] - anchor <= _SMALL else 0.85
        if at < anchor < self.end[at]:
            return 0.9 if self.end[at] - at <= _SMALL else 0.3
        unit = self.unit(anchor)
        if unit >= 0 and unit < at < self.end[unit]:
            return 0.95 if self.end[unit] - unit <= _SMALL else 0.8
        return self._along(at, anchor)

    def _along(self, at: int, anchor: int) -> float:
        distance = at - anchor
        if distance < 0:
            return max(0.0, 0.6 + 0.05 * distance)
        if self.nodes[anchor].role == "heading":
            return max(0.5, 0.92 - 0.01 * distance) if self._in_section(at, anchor) else 0.1
        between = sum(self.nodes[place].role == "heading" for place in range(anchor + 1, at)) if distance < _SMALL else 1
        return max(0.05, 0.85 - 0.03 * distance - 0.3 * between)

    def _in_section(self, at: int, heading: int) -> bool:
        level = self.nodes[heading].states.get("level", 2)
        place = self.heading[at]
        while place > heading:
            if self.nodes[place].states.get("level", 2) <= level:
                return False
            place = self.heading[place]
        return place == heading
