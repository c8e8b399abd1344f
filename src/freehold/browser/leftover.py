"""The last line of an outline: exactly what was left out, and the calls that get it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from freehold.browser.nesting import Line
from freehold.browser.roles import is_interactive
from freehold.browser.snapshot import Snapshot

_OFFERS = 4
# A container with fewer nodes after the cut is not worth a call of its own.
_WORTH = 5


def leftover_note(
    snapshot: Snapshot,
    lines: Sequence[Line],
    kept: int,
    tokens: int,
    max_tokens: int,
    filter: str,
    *,
    start: int,
) -> str:
    """Say what of `lines` comes after the first `kept`, which cost `tokens`, and how to get it.

    The element at `start` is no offer, as it was just read.
    """
    cut = lines[kept:]
    refs = [line.node.ref for line in cut if line.node.ref]
    elements = f" with {len(refs)} elements (ref_{refs[0]} to ref_{refs[-1]})" if refs else ""
    offers = [f"ref=ref_{ref} ({role})" for ref, role in islice(_containers(snapshot, cut, start), _OFFERS)]
    if filter == "all":
        offers.append("filter=interactive")
    offers.append(f"max_tokens={_needed(lines, kept, tokens)} for everything")
    what = f"… {len(cut)} more lines{elements} left out at max_tokens={max_tokens}"
    return f"{what}. Call read_page with {', or '.join(offers)}; or find."


def depth_note(deeper: int, depth: int) -> str:
    """Say that `deeper` lines lie below `depth` levels."""
    what = f"… {deeper} lines are deeper than depth={depth} (…+N: N under that line)"
    return f"{what}. Call read_page with a larger depth, or ref= of one of those lines."


def _needed(lines: Sequence[Line], kept: int, tokens: int) -> int:
    sizes = [len(line.node.name) + len(line.text) + 20 for line in lines]
    per_character = tokens / sum(sizes[:kept]) if kept else 0.5
    return (int((tokens + per_character * sum(sizes[kept:])) * 1.2) // 1000 + 1) * 1000


def _containers(snapshot: Snapshot, cut: Sequence[Line], start: int) -> Iterator[tuple[int, str]]:
    at, end = cut[0].at, cut[-1].at
    return chain(_around(snapshot, at, start), _after(snapshot, at, end))


def _around(snapshot: Snapshot, at: int, start: int) -> Iterator[tuple[int, str]]:
    """Yield the smallest element with a ref around the cut that holds enough of what was cut."""
    nodes = snapshot.nodes
    depth = nodes[at].depth
    for place in range(at - 1, start, -1):
        node = nodes[place]
        if node.depth < depth:
            depth = node.depth
            if node.ref and snapshot.subtree(place).stop - at >= _WORTH:
                yield node.ref, node.role
                return


def _after(snapshot: Snapshot, at: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the outermost containers with a ref that were cut whole."""
    place = at
    while place <= end:
        node = snapshot.nodes[place]
        subtree = snapshot.subtree(place)
        if node.ref and not is_interactive(node) and len(subtree) >= _WORTH:
            yield node.ref, node.role
            place = subtree.stop
        else:
            place += 1
