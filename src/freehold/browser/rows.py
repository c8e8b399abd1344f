"""Tables in an outline: a row of small cells is one line, tables that only lay a page out do not show."""

from __future__ import annotations

from freehold.browser.branch import Branch
from freehold.browser.roles import CELLS, is_bare, shown_ref
from freehold.browser.snapshot import Node

_CELL_PARTS = 6
_ROW_LENGTH = 600


def arranged(roots: list[Branch]) -> list[Branch]:
    """Return `roots` with their tables arranged; those in them are changed. Without recursion: pages may be deep."""
    order = list(roots)
    for branch in order:
        order.extend(branch.children)
    for branch in reversed(order):
        branch.children = _arranged_level(branch.children)
    return _arranged_level(roots)


def _arranged_level(branches: list[Branch]) -> list[Branch]:
    for branch in branches:
        if branch.node.role == "row":
            _arrange_row(branch)
        elif _is_wrapper(branch):
            branch.wrapped, branch.children = branch.children[0], []
    return [each for branch in branches for each in (_shown(branch) if branch.node.role == "table" else [branch])]


def _is_wrapper(branch: Branch) -> bool:
    """A heading or cell around one thing that is called as it is: the two need one line."""
    node = branch.node
    if len(branch.children) != 1 or branch.text or branch.hanging or node.role not in _WRAPPERS or shown_ref(node):
        return False
    inner = branch.children[0]
    # Only what begins with a ref cannot be mistaken for the wrapper's own name.
    return node.name in {"", inner.node.name} and bool(shown_ref(inner.node)) and not (inner.children or inner.cells)


_WRAPPERS = CELLS | {"heading", "blockquote", "status", "tooltip", "caption"}


def _arrange_row(row: Branch) -> None:
    cells = [_parts(cell) for cell in row.children]
    small = [cell for cell in cells if cell is not None]
    if not any(_says(part) for cell in small for part in cell) and len(small) == len(cells) and _is_nothing(row.node):
        # It only keeps a distance.
        row.hanging, row.children = True, []
        return
    length = sum(len(part.node.name) + len(part.text) for cell in small for part in cell)
    if len(small) == len(cells) > 0 and length <= _ROW_LENGTH:
        row.cells, row.children = small, []
    elif _is_nothing(row.node):
        row.hanging = True
        row.children = [each for cell in row.children for each in _unboxed(cell)]


def _parts(cell: Branch) -> list[Branch] | None:
    """Return what stands in a small cell, None for one that needs lines of its own."""
    if cell.node.role not in CELLS:
        return None
    if cell.wrapped:
        return [cell.wrapped] if _is_plain(cell) else [cell]
    if not cell.children:
        return [_as_text(cell)] if _is_plain(cell) else [cell]
    if not _is_plain(cell) or cell.node.name or len(cell.children) > _CELL_PARTS:
        return None
    own = [_as_text(cell)] if cell.text else []
    parts = [*own, *cell.children]
    if any(part.children or part.cells or part.hanging for part in parts):
        return None
    # The name of one ends where the ref of the next begins.
    return parts if all(shown_ref(part.node) for part in parts[1:]) else None


def _is_plain(cell: Branch) -> bool:
    return is_bare(cell.node) and cell.node.role != "columnheader"


def _as_text(cell: Branch) -> Branch:
    said = " ".join(part for part in (cell.node.name, cell.text) if part)
    return Branch(Node(cell.node.depth, "text", said), cell.at, said)


def _unboxed(cell: Branch) -> list[Branch]:
    if cell.node.role not in CELLS or not _is_plain(cell) or cell.wrapped:
        return [cell.wrapped] if cell.wrapped and _is_plain(cell) else [cell]
    said = [_as_text(cell)] if cell.node.name or cell.text else []
    return [*said, *cell.children]


def _says(part: Branch) -> bool:
    return bool(part.text or part.node.name or not is_bare(part.node))


def _is_nothing(node: Node) -> bool:
    return is_bare(node) and not node.name


def _shown(table: Branch) -> list[Branch]:
    """What is in a table without a name that only lays a page out stands for it.

    Such a table has another in it, or no row that fits a line. Chrome leaves them out of its tree by similar signs.
    """
    rows = [child for child in table.children if child.node.role == "row"]
    if table.node.name or "clickable" in table.node.states or not rows or len(rows) < len(table.children):
        return [table]
    in_lines = [row for row in rows if row.hanging and row.children]
    nests = any(inner.node.role == "table" or inner.hanging for row in in_lines for inner in row.children)
    if not (nests or len(in_lines) == len(rows)):
        return [table]
    return [each for row in rows for each in (row.children if row.hanging else [row])]
