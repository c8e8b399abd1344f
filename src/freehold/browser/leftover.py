"""What an outline says of what it leaves out: exactly how much, and the calls that get it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from freehold.browser.listing import Line
from freehold.browser.roles import is_interactive
from freehold.browser.snapshot import Node, Snapshot

_OFFERS = 3
# A container with fewer nodes after the cut is not worth a call of its own.
_WORTH = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of a snapshot; `places` are the nodes of `ref`, or all."""

    snapshot: Snapshot
    filter: str
    places: range
    ref: int | None
    max_tokens: int
    urls: bool
    start: int

    def is_root(self, node: Node) -> bool:
        """Say whether `node` is the one element that was asked for."""
        return self.ref is not None and node.ref == self.ref

    def call(self, **arguments: object) -> str:
        """Return the arguments of a call that goes on with the same reading."""
        same = {"ref": f"ref_{self.ref}" if self.ref else None, "filter": self.filter if self.filter != "all" else None}
        urls = {"urls": "true"} if self.urls else {}
        return " ".join(f"{name}={value}" for name, value in {**same, **arguments, **urls}.items() if value is not None)


def tell_folds(asked: Asked, lines: Sequence[Line], folded: Sequence[Line]) -> None:
    """Let each fold of `folded` say what it stands for; `lines` are all lines there are."""
    places = [line.branch.at for line in lines]
    for line in folded:
        if line.folded:
            container = _around_all(asked, line)
            first = bisect_left(places, container) if container is not None else 0
            ref = f"ref_{asked.snapshot.nodes[container].ref}" if container is not None else None
            call = asked.call(**({"ref": ref} if ref else {}), start=line.number - first)
            line.rest = f"… {len(line.folded):,} more like these: read_page {call}"


def _around_all(asked: Asked, fold: Line) -> int | None:
    """Return the place of the smallest element with a ref around all that is folded, None where none was asked for."""
    nodes = asked.snapshot.nodes
    at, last = fold.branch.at, fold.folded[-1].at
    depth = nodes[at].depth
    for place in range(at - 1, asked.places.start, -1):
        if nodes[place].depth < depth:
            depth = nodes[place].depth
            if nodes[place].ref and last in asked.snapshot.subtree(place):
                return place
    return None


def leftover_note(asked: Asked, all_lines: Sequence[Line], shown: Sequence[Line], kept: int, tokens: int) -> str:
    """Say what comes after the first `kept` of the lines `shown`, which cost `tokens`, and how to get it."""
    start = shown[kept].number
    cut = all_lines[start - 1 :]
    refs = [ref for line in cut for ref in line.branch.refs()]
    elements = f" with {len(refs)} elements (ref_{refs[0]} to ref_{refs[-1]})" if refs else ""
    offers = [f"{asked.call(start=start)} to go on"]
    containers = islice(_containers(asked, cut), _OFFERS)
    offers += [f"ref=ref_{ref} ({role})" for ref, role in containers]
    if asked.filter == "all":
        offers.append("filter=interactive")
    offers.append(f"max_tokens={_needed(all_lines, shown, kept, tokens)} for everything")
    what = f"… {len(cut)} more lines{elements} left out at max_tokens={asked.max_tokens}"
    return f"{what}. Call read_page with {', or '.join(offers)}; or find."


def depth_note(deeper: int, depth: int) -> str:
    """Say that `deeper` lines lie below `depth` levels."""
    what = f"… {deeper} lines are deeper than depth={depth} (…+N: N under that line)"
    return f"{what}. Call read_page with a larger depth, or ref= of one of those lines."


def _needed(all_lines: Sequence[Line], shown: Sequence[Line], kept: int, tokens: int) -> int:
    per_character = tokens / sum(map(_size, shown[:kept])) if kept else 0.5
    return (int(per_character * sum(map(_size, all_lines)) * 1.2) // 1000 + 1) * 1000


def _size(line: Line) -> int:
    branch = line.branch
    inner = chain.from_iterable(branch.cells or ())
    return len(branch.node.name) + len(branch.text) + 20 + sum(len(each.node.name) + 20 for each in inner)


def _containers(asked: Asked, cut: Sequence[Line]) -> Iterator[tuple[int, str]]:
    at, end = cut[0].branch.at, cut[-1].branch.at
    return chain(_around(asked, at), _after(asked.snapshot, at, end))


def _around(asked: Asked, at: int) -> Iterator[tuple[int, str]]:
    """Yield the smallest element with a ref around the cut that holds enough of what was cut."""
    nodes = asked.snapshot.nodes
    depth = nodes[at].depth
    # The element that was asked for is no offer, as it was just read.
    first = asked.places.start if asked.ref is not None else -1
    for place in range(at - 1, first, -1):
        node = nodes[place]
        if node.depth < depth:
            depth = node.depth
            if node.ref and asked.snapshot.subtree(place).stop - at >= _WORTH:
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
