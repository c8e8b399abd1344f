"""A Snapshot: the accessibility outlines of a tab's frames, joined into one list in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from freehold.browser.marks import one_line
from freehold.errors import InternalError

_NO_STATES: Mapping[str, Any] = {}
# A role can come from the page; one that is not a plain word would let it write what it likes at the start of a line.
_ROLE = re.compile("[A-Za-z][A-Za-z-]{0,30}")


class Viewport(msgspec.Struct, frozen=True, rename="camel"):
    """What of a page is in view, in CSS pixels; `scale` is the pinch zoom."""

    width: float = 0
    height: float = 0
    scroll_x: float = 0
    scroll_y: float = 0
    page_width: float = 0
    page_height: float = 0
    scale: float = 1


class FrameNode(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One node as a frame sends it (protocol, section 3.1); `states` is 0 where there are none."""

    depth: int
    role: str
    name: str
    ref: int = 0
    states: dict[str, Any] | int = 0


_NODES = msgspec.json.Decoder(list[FrameNode])


class FrameOutline(msgspec.Struct, frozen=True, rename="camel"):
    """What one frame answers to `page.read`; `index` is its place among its parent's frames, None for the top.

    `nodes` comes as JSON within the JSON, which passes the browser's processes in one piece; a ref of -1 in it stands
    for `base`, -2 for the next number, and so on.
    """

    frame_id: int
    nodes: list[FrameNode] | str
    base: int = 1
    parent_frame_id: int = -1
    index: int | None = None
    url: str = ""
    title: str = ""
    viewport: Viewport = Viewport()


class Node(msgspec.Struct, frozen=True, gc=False):
    """One element, or a run of text (role `text`), of a snapshot.

    Names and the texts in `states` are already marked (see `marks`); `ref` is 0 where there is none; `frame_id` says
    which frame to call.
    """

    depth: int
    role: str
    name: str
    ref: int = 0
    states: Mapping[str, Any] = _NO_STATES
    frame_id: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A page as it stood when it was read.

    Its nodes in reading order, depth first, child frames under their iframe's node.
    """

    url: str
    title: str
    viewport: Viewport
    nodes: Sequence[Node]

    def position(self, ref: int) -> int | None:
        """Return the place of the node with `ref` in `nodes`, or None."""
        return next((at for at, node in enumerate(self.nodes) if node.ref == ref), None) if ref else None

    def subtree(self, start: int) -> range:
        """Return the places of the node at `start` and of all below it."""
        depth = self.nodes[start].depth
        end = start + 1
        while end < len(self.nodes) and self.nodes[end].depth > depth:
            end += 1
        return range(start, end)


def from_frames(frames: Sequence[Mapping[str, Any]]) -> Snapshot:
    """Join the frames of one `page.read`.

    A frame whose iframe is not among the nodes (hidden) is left out, as a reader would not see it. Raises
    `InternalError` where the frames are not what the protocol says.
    """
    try:
        outlines = msgspec.convert(frames, list[FrameOutline])
        nodes = {outline.frame_id: _nodes(outline.nodes) for outline in outlines}
    except msgspec.DecodeError as error:
        raise InternalError(
            "internal_error", f"page.read answered something else than the protocol says: {error}"
        ) from error
    if not outlines:
        raise InternalError("internal_error", "page.read answered without a frame.")
    top = _top(outlines)
    children = {(outline.parent_frame_id, outline.index): outline for outline in outlines if outline is not top}
    return Snapshot(_address(top.url), one_line(top.title), top.viewport, list(_joined(top, 0, children, nodes)))


def _nodes(nodes: list[FrameNode] | str) -> list[FrameNode]:
    return _NODES.decode(nodes) if isinstance(nodes, str) else nodes


def _top(outlines: list[FrameOutline]) -> FrameOutline:
    # With a ref only its frame and the frames below are sent, so the first one's parent may be missing.
    known = {outline.frame_id for outline in outlines}
    return next((outline for outline in outlines if outline.parent_frame_id not in known), outlines[0])


def _joined(
    frame: FrameOutline,
    depth: int,
    children: dict[tuple[int, int | None], FrameOutline],
    nodes: dict[int, list[FrameNode]],
) -> Iterator[Node]:
    frame_id, base = frame.frame_id, frame.base
    for node in nodes[frame_id]:
        states = _marked_states(node.states) if isinstance(node.states, dict) else _NO_STATES
        role = node.role if _ROLE.fullmatch(node.role) else "generic"
        ref = node.ref if node.ref >= 0 else base - node.ref - 1
        yield Node(node.depth + depth, role, one_line(node.name), ref, states, frame_id)
        # Taken out, so that a frame stands in one place only, whatever the nodes claim.
        if "frame" in states and (child := children.pop((frame_id, states["frame"]), None)):
            yield from _joined(child, node.depth + depth + 1, children, nodes)


def _marked_states(states: dict[str, Any]) -> dict[str, Any]:
    return {name: _marked(value) for name, value in states.items()}


def _marked(value: Any) -> Any:
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, list):
        return [_marked(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _address(url: str) -> str:
    # The only spaces Chrome leaves in an address are in opaque paths (URL Standard, "C0 control percent-encode set").
    return one_line(url).replace(" ", "%20")
