"""Which nodes of a snapshot show in an outline, and which stand in which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freehold.browser.branch import Branch
from freehold.browser.line import text_of
from freehold.browser.roles import CONTENT_NAMED, INLINE, is_interactive, is_plain_item, is_silent
from freehold.browser.rows import arranged
from freehold.browser.snapshot import Node, Snapshot

# What only parts the links around it: ASCII, dashes, dots, single and double angle quotation marks, CJK punctuation.
_PARTING = frozenset(",.;:|/-<>()[]{}\u00b7\u2022\u2013\u2014\u00ab\u00bb\u2039\u203a\uff0c\u3002\u3001\uff1b")
# Runs are joined up to this many characters, so that a cap cuts a long article between paragraphs and not before it.
_RUN_LIMIT = 400


@dataclass(slots=True, eq=False)
class _Open:
    """An element that is not closed yet; silent ones add to the branches of the element around them."""

    depth: int
    branches: list[Branch]
    branch: Branch | None = None
    said: str = ""


def flat(snapshot: Snapshot, places: range) -> list[Branch]:
    """Return a branch for each node that can be acted on, none in another."""
    nodes = snapshot.nodes
    return [Branch(nodes[at], at) for at in places if is_interactive(nodes[at])]


def nested(snapshot: Snapshot, places: range) -> list[Branch]:
    """Return the branches of the nodes that say something; the others hand their place on to what is in them."""
    return arranged(_Nesting(snapshot.nodes).branches(places))


class _Nesting:
    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._roots: list[Branch] = []
        self._open = [_Open(-1, self._roots)]
        # What the last text belongs to, and the branch that shows it: more text there goes on in that line.
        self._text_in: _Open | None = None
        self._text_at: Branch | None = None

    def branches(self, places: range) -> list[Branch]:
        for at in places:
            node = self._nodes[at]
            while node.depth <= self._open[-1].depth:
                self._open.pop()
            inside = self._open[-1]
            if node.role == "text":
                self._add_text(node, at, inside)
            elif is_plain_item(node):
                item = self._add(node, at, inside, hanging=True)
                self._add_text(Node(node.depth + 1, "text", node.name), at, item)
            elif not is_silent(node):
                self._add(node, at, inside)
            elif node.role not in INLINE:
                self._open.append(_Open(node.depth, inside.branches, inside.branch, inside.said))
        return self._roots

    def _add(self, node: Node, at: int, inside: _Open, *, hanging: bool = False) -> _Open:
        branch = Branch(node, at, hanging=hanging)
        inside.branches.append(branch)
        said = node.name if node.role in CONTENT_NAMED else ""
        added = _Open(node.depth, branch.children, None if hanging else branch, said)
        self._open.append(added)
        self._text_in = None
        return added

    def _add_text(self, node: Node, at: int, inside: _Open) -> None:
        text = text_of(node)
        if not text or node.name in inside.said:
            return
        last = self._text_at
        if last and self._text_in is inside and len(last.text) + len(text) < _RUN_LIMIT:
            last.text = f"{last.text} {text}"
            return
        around = inside.branch
        if around and not inside.branches and not around.node.name and not around.text:
            self._text_at = around
            around.text = text
        elif inside.branches and _PARTING.issuperset(text):
            return
        else:
            self._text_at = Branch(node, at, text)
            inside.branches.append(self._text_at)
        self._text_in = inside
