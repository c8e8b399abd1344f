"""Which nodes of a snapshot get a line, and how far each is indented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freehold.browser.line import line_of, text_of
from freehold.browser.roles import CONTENT_NAMED, INLINE, is_interactive, is_plain_item, is_silent
from freehold.browser.snapshot import Node, Snapshot

# Runs are joined up to this many characters, so that a cap cuts a long article between paragraphs and not before it.
_RUN_LIMIT = 400


@dataclass(slots=True)
class Line:
    """One line of an outline.

    `at` is its node's place in the snapshot, `text` the run of text it shows, `below` what `depth` cut under it.
    """

    node: Node
    at: int
    indent: int = 0
    bullet: bool = False
    text: str = ""
    below: int = 0

    def written(self, *, urls: bool = False) -> str:
        """Return the line with its indent."""
        indent = " " * (self.indent - 1) + "-" if self.bullet else " " * self.indent
        text = f"| {self.text}" if self.text else ""
        if self.node.role != "text":
            line = line_of(self.node, urls=urls)
            text = f"{line} {text}" if text else line
        return f"{indent}{text} …+{self.below}" if self.below else indent + text


@dataclass(slots=True)
class _Place:
    """Where lines go: in an element with a line of its own, or in a list item, whose first line gets the bullet."""

    indent: int
    name: str = ""
    line: Line | None = None
    bullet: bool = False


@dataclass(slots=True, eq=False)
class _Open:
    """An element that is not closed yet; silent ones share the place of the element around them."""

    depth: int
    place: _Place


def flat(snapshot: Snapshot, places: range) -> list[Line]:
    """Return a line without indent for each node that can be acted on."""
    nodes = snapshot.nodes
    return [Line(nodes[at], at) for at in places if is_interactive(nodes[at])]


def nested(snapshot: Snapshot, places: range) -> list[Line]:
    """Return a line for each node that says something; the others hand their place on to what is in them."""
    return _Nesting(snapshot.nodes).lines(places)


class _Nesting:
    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._lines: list[Line] = []
        self._open = [_Open(-1, _Place(0))]
        # The open element that the last line's text belongs to: more text there goes on in that line.
        self._text_in: _Open | None = None

    def lines(self, places: range) -> list[Line]:
        for at in places:
            node = self._nodes[at]
            while node.depth <= self._open[-1].depth:
                self._open.pop()
            inside = self._open[-1]
            if node.role == "text":
                self._add_text(node, at, inside)
            elif is_plain_item(node):
                item = _Open(node.depth, _Place(inside.place.indent + 1, bullet=True))
                self._open.append(item)
                self._add_text(Node(node.depth + 1, "text", node.name), at, item)
            elif not is_silent(node):
                self._add(node, at, inside.place)
            elif node.role not in INLINE:
                self._open.append(_Open(node.depth, inside.place))
        return self._lines

    def _add(self, node: Node, at: int, place: _Place) -> None:
        line = self._append(node, at, place)
        name = node.name if node.role in CONTENT_NAMED else ""
        self._open.append(_Open(node.depth, _Place(line.indent + 1, name, line)))
        self._text_in = None

    def _append(self, node: Node, at: int, place: _Place) -> Line:
        line = Line(node, at, place.indent, place.bullet)
        place.bullet = False
        self._lines.append(line)
        return line

    def _add_text(self, node: Node, at: int, inside: _Open) -> None:
        place = inside.place
        text = text_of(node)
        if not text or node.name in place.name:
            return
        last = self._lines[-1] if self._lines else None
        if last and self._text_in is inside and len(last.text) + len(text) < _RUN_LIMIT:
            last.text = f"{last.text} {text}"
        elif last and last is place.line and not last.node.name and not last.text:
            last.text = text
        else:
            self._append(node, at, place).text = text
        self._text_in = inside
