"""Where the nodes of a snapshot stand: what is around each, and how near two of them are to a reader."""

from __future__ import annotations

from collections import Counter

from freehold.browser.snapshot import Node, Snapshot

_CELLS = frozenset(("cell", "gridcell", "columnheader", "rowheader"))
_TABLES = frozenset(("table", "grid", "treegrid"))
_UNITS = frozenset(("row", "listitem", "article", "group", "figure", "option", "treeitem", "term", "definition"))
_ITEMS = _UNITS | {"heading"}
# With these also the sections end that headings in them began.
_SECTIONING = frozenset(
    ("article", "banner", "cell", "complementary", "contentinfo", "dialog", "form", "listitem", "main", "navigation",
     "region")
)  # fmt: skip
# Up to this many nodes an element is one thing to a reader: a row, a card.
_SMALL = 30


class Surroundings:
    """Parents, ends of subtrees, headings and columns, by place in `Snapshot.nodes`; -1 says that there is none.

    Everything is found in one pass, so that a page of 10,000 nodes costs milliseconds.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.nodes = snapshot.nodes
        count = len(self.nodes)
        self.parent = [-1] * count
        self.end = [count] * count
        self.heading = [-1] * count
        self.column = [-1] * count
        # The row, list item or card around a place.
        self.unit = [-1] * count
        # The place where the section of a heading ends, and how many headings came before a place.
        self._section_end = [count] * count
        self._headings = [0] * count
        self._open: list[int] = []
        self._sections: list[int] = []
        self._headers: dict[int, list[int]] = {}
        self._cells: dict[int, int] = {}
        for at, node in enumerate(self.nodes):
            self._place(at, node)

    def _place(self, at: int, node: Node) -> None:
        while self._open and self.nodes[self._open[-1]].depth >= node.depth:
            self._close(self._open.pop(), at)
        self.parent[at] = self._open[-1] if self._open else -1
        if node.role == "contentinfo":
            while self._sections:
                self._section_end[self._sections.pop()] = at
        if (parent := self.parent[at]) >= 0:
            self.unit[at] = parent if self.nodes[parent].role in _UNITS else self.unit[parent]
        self.heading[at] = self._sections[-1] if self._sections else -1
        self._headings[at] = self._headings[at - 1] + (self.nodes[at - 1].role == "heading") if at else 0
        if node.role == "heading":
            self._begin_section(at, node)
        self.column[at] = (
            self._column_of_cell(at, node) if node.role in _CELLS else self.column[parent] if parent >= 0 else -1
        )
        self._open.append(at)

    def _close(self, closed: int, at: int) -> None:
        self.end[closed] = at
        if self.nodes[closed].role in _SECTIONING:
            while self._sections and self._sections[-1] > closed:
                self._section_end[self._sections.pop()] = at

    def _begin_section(self, at: int, node: Node) -> None:
        while self._sections and _level(self.nodes[self._sections[-1]]) >= _level(node):
            self._section_end[self._sections.pop()] = at
        self._sections.append(at)

    def _column_of_cell(self, at: int, node: Node) -> int:
        row = next((place for place in reversed(self._open) if self.nodes[place].role == "row"), -1)
        table = next((place for place in reversed(self._open) if self.nodes[place].role in _TABLES), -1)
        index = self._cells.get(row, 0)
        self._cells[row] = index + 1
        headers = self._headers.setdefault(table, [])
        if node.role == "columnheader":
            headers.append(at)
            return -1
        return headers[index] if row >= 0 and index < len(headers) else -1

    def data_rows(self) -> list[int]:
        """Return the rows that hold data, not the column headers."""
        return [
            at
            for at, node in enumerate(self.nodes)
            if node.role == "row"
            and not any(self.nodes[place].role == "columnheader" for place in range(at + 1, self.end[at]))
        ]

    def is_small(self, at: int) -> bool:
        """Say whether the element is one thing to a reader, such as a row or a card."""
        return self.end[at] - at <= _SMALL

    def items(self, at: int) -> list[range]:
        """Return the items of the first list or table that `at` names or holds, or of its section's own sections."""
        if self.nodes[at].role in _UNITS:
            return []
        end = self._section_end[at] if self.nodes[at].role == "heading" else self.end[at]
        first = next((place for place in range(at + 1, end) if self.nodes[place].role in _ITEMS), -1)
        if first < 0 and self.nodes[at].role == "heading":
            return [range(place, self.end[place]) for place in self._run(at + 1, end)]
        if first < 0:
            return []
        if self.nodes[first].role == "heading":
            level = _level(self.nodes[first])
            alike = [place for place in range(first, end) if self._is_heading(place, level)]
            return [range(place, self._section_end[place]) for place in alike]
        parent = self.parent[first]
        return [
            range(place, self.end[place]) for place in range(first, self.end[parent]) if self.parent[place] == parent
        ]

    def _run(self, start: int, end: int) -> list[int]:
        """Return the elements with a ref that are most alike there, in role and depth."""
        kinds = Counter((self.nodes[at].role, self.nodes[at].depth) for at in range(start, end) if self.nodes[at].ref)
        if not kinds:
            return []
        kind, _ = kinds.most_common(1)[0]
        return [at for at in range(start, end) if (self.nodes[at].role, self.nodes[at].depth) == kind]

    def _is_heading(self, at: int, level: int) -> bool:
        return self.nodes[at].role == "heading" and _level(self.nodes[at]) == level

    def before(self, at: int, anchor: int) -> float:
        """Return from 0 to 1 how much a reader takes `at` as standing above `anchor`."""
        distance = anchor - at
        return max(0.1, 0.9 - 0.03 * distance) if distance > 0 and anchor >= self.end[at] else 0.1

    def common(self, one: int, other: int) -> int:
        """Return the smallest element that holds both places, -1 where there is none."""
        while one >= 0 and not one <= other < self.end[one]:
            one = self.parent[one]
        return one

    def siblings(self, one: int, other: int) -> bool:
        """Say whether two places are items of one list: alike deep, under one parent or its items."""
        if self.nodes[one].depth != self.nodes[other].depth:
            return False
        parents = self.parent[one], self.parent[other]
        return parents[0] == parents[1] or (min(parents) >= 0 and self.parent[parents[0]] == self.parent[parents[1]])

    def nearness(self, at: int, anchor: int) -> float:
        """Return from 0 to 1 how much a reader takes `at` as belonging to `anchor`."""
        if at == anchor:
            return 0.3
        if anchor < at < self.end[anchor]:
            return 1.0 if self.end[anchor] - anchor <= _SMALL else 0.85
        if at < anchor < self.end[at]:
            return 0.9 if self.end[at] - at <= _SMALL else 0.3
        unit = self.unit[anchor]
        if not unit < at < self.end[unit] if unit >= 0 else True:
            return self._along(at, anchor)
        if self.is_small(unit):
            return 0.95
        # In a large one a heading speaks for its section, not for what comes before it.
        return 0.8 if self.nodes[anchor].role != "heading" else self._along(at, anchor)

    def _along(self, at: int, anchor: int) -> float:
        distance = at - anchor
        if distance < 0:
            return max(0.0, 0.6 + 0.05 * distance)
        if self.nodes[anchor].role == "heading":
            return max(0.6, 0.92 - 0.004 * distance) if at < self._section_end[anchor] else 0.1
        between = self._headings[at] - self._headings[anchor]
        return max(0.05, 0.85 - 0.03 * distance - 0.3 * between)


def _level(heading: Node) -> int:
    level = heading.states.get("level")
    return level if isinstance(level, int) else 2
