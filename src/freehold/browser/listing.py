"""The lines of an outline, in order: whole, or with runs of alike elements folded to the first few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from freehold.browser.branch import Branch

# A fold has a line of its own, so it must hide more than that.
_WORTH = 3


@dataclass(slots=True, eq=False)
class Line:
    """One line.

    `number` counts from 1 among all lines there are, folded or not; `below`: how many under it `depth` cut. A line of
    a fold stands for the branches `folded`, the first of which would have had its number.
    """

    branch: Branch
    number: int
    indent: int
    bullet: bool = False
    below: int = 0
    folded: Sequence[Branch] = ()
    rest: str = ""

    def written(self, *, urls: bool = False, whole: bool = False) -> str:
        """Return the line with its indent."""
        if self.folded:
            return f"{' ' * self.indent}{self.rest}"
        indent = " " * (self.indent - 1) + "-" if self.bullet else " " * self.indent
        line = indent + self.branch.written(urls=urls, whole=whole)
        return f"{line} …+{self.below}" if self.below else line


@dataclass(slots=True)
class _Item:
    """A branch on its way to its line, or the branches after it that are folded away."""

    branch: Branch
    indent: int
    bullet: bool
    folded: Sequence[Branch] = ()


def listed(branches: Sequence[Branch], keep: int | None = None) -> list[Line]:
    """Return the lines of `branches` and all in them; of a run of alike ones only `keep`, and a line for the rest."""
    lines: list[Line] = []
    number = 1
    stack = [*reversed(list(_items(branches, 0, keep)))]
    while stack:
        item = stack.pop()
        branch = item.branch
        if item.folded:
            lines.append(Line(branch, number, item.indent, folded=item.folded))
            number += sum(map(_height, item.folded))
            continue
        if not branch.hanging:
            lines.append(Line(branch, number, item.indent, item.bullet))
            number += 1
        inner = list(_items(branch.children, item.indent + 1, keep))
        if branch.hanging and inner:
            inner[0].bullet = True
        stack.extend(reversed(inner))
    return lines


def _items(branches: Sequence[Branch], indent: int, keep: int | None) -> Iterator[_Item]:
    if keep is None or len(branches) <= keep + _WORTH:
        yield from (_Item(branch, indent, bullet=False) for branch in branches)
        return
    for kind, run in groupby(branches, _kind):
        alike = list(run)
        # Prose is not a repetition, however many paragraphs it has.
        shown = keep if kind[0] != "text" and len(alike) > keep + _WORTH else len(alike)
        yield from (_Item(branch, indent, bullet=False) for branch in alike[:shown])
        if alike[shown:]:
            yield _Item(alike[shown], indent, bullet=False, folded=alike[shown:])


def _kind(branch: Branch) -> tuple[str, bool, bool]:
    return branch.node.role, branch.hanging, branch.cells is None


def _height(branch: Branch) -> int:
    height = 0
    stack = [branch]
    while stack:
        each = stack.pop()
        height += not each.hanging
        stack.extend(each.children)
    return height
