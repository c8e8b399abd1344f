"""A branch of an outline: an element or a run of text that has something to show, and the branches in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from freehold.browser.line import line_of
from freehold.browser.roles import is_bare, shown_ref
from freehold.browser.snapshot import Node

_BAR, _MARKED_BAR = " | ", " \\u{7C} "


@dataclass(slots=True, eq=False)
class Branch:
    """One element, or one run of text.

    `at`: its node's place in the snapshot. `text`: the run of text in its line. `hanging`: it has no line, the first
    one in it has a bullet. `cells`: it is a row whose cells stand in its line. `wrapped`: the one branch in it, which
    shares its line.
    """

    node: Node
    at: int
    text: str = ""
    hanging: bool = False
    children: list[Branch] = field(default_factory=list["Branch"])
    cells: list[list[Branch]] | None = None
    wrapped: Branch | None = None

    def written(self, *, urls: bool = False, whole: bool = False) -> str:
        """Return its line without indent; `whole` leaves no option of a list out."""
        if self.cells is not None:
            parts = " | ".join(_cell(cell, urls=urls) for cell in self.cells)
            return f"{self._head(urls=urls)}| {parts}".rstrip()
        if self.wrapped:
            return f"{line_of(self.node, urls=urls, named=False)} {self.wrapped.written(urls=urls)}"
        text = f"| {self.text}" if self.text else ""
        if self.node.role == "text":
            return text
        line = line_of(self.node, urls=urls, whole=whole)
        return f"{line} {text}" if text else line

    def _head(self, *, urls: bool) -> str:
        bare = is_bare(self.node) and not self.node.name
        return "" if bare else f"{line_of(self.node, urls=urls)} "

    def refs(self) -> Iterator[int]:
        """Yield the refs in its line."""
        if ref := shown_ref(self.node):
            yield ref
        if self.wrapped:
            yield from self.wrapped.refs()
        for cell in self.cells or ():
            for branch in cell:
                yield from branch.refs()


def _cell(branches: list[Branch], *, urls: bool) -> str:
    """A bar in text of the page would look like the border to the next cell."""
    parts = (branch.text if branch.node.role == "text" else branch.written(urls=urls) for branch in branches)
    return " ".join(part.replace(_BAR, _MARKED_BAR) for part in parts)
