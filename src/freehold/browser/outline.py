"""The outline of a snapshot: one line an element, made to cost few tokens and to be impossible to forge.

    [ref_12] button(disabled,collapsed) Name        an element that can be acted on
    [ref_3] textbox(required) Email = foo@x         its value after ` = `
    heading(2) Name                                 an element without a ref
    heading(3) [ref_8] link Name                    an element around one other that is called as it is
    | text                                          a run of text; `status | text` where it is all that an element has
    | text | [ref_5] link Name                      a row of a table, its cells between bars
    -[ref_4] link Home                              the first line of a list item, an article or a row of several lines
    … 12 more like these: read_page …               what was left out, and how to get it

One space of indent a level. A line starts with one of these forms, and none of them can come from a page: its text
stands after a role or after `| `, on one line, with `[ref_` marked. Why each sign is there, and what it costs, is told
in docs/outline.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from freehold.browser.branch import Branch
from freehold.browser.leftover import Asked, depth_note, leftover_note, tell_folds
from freehold.browser.listing import Line, listed
from freehold.browser.marks import shown_text
from freehold.browser.nesting import flat, nested
from freehold.browser.snapshot import Snapshot
from freehold.errors import UsageError
from freehold.text.tokens import estimate

Filter = Literal["interactive", "all"]

DEFAULT_MAX_TOKENS = 10_000
# Kept free for the last line, which must always fit.
_RESERVE = 100
# Of alike elements in a row so many are shown; the first number with which the outline keeps to its limit.
_KEEPS = (30, 15, 8, 4)


@dataclass(frozen=True, slots=True)
class Outline:
    """A rendered outline; `tokens` is an estimate, `left_out` counts the lines that `max_tokens` or `depth` cut."""

    text: str
    tokens: int
    lines: int
    left_out: int


def render(
    snapshot: Snapshot,
    filter: Filter = "interactive",
    depth: int | None = None,
    ref: int | None = None,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    *,
    urls: bool = False,
    start: int = 1,
) -> Outline:
    """Render `snapshot` in about `max_tokens` tokens at most, header and last line included.

    `filter`: `interactive` lists what can be acted on, flat; `all` shows text and structure too. `depth` limits the
    levels, counted from 1. `ref` starts at one element. `urls` adds the targets of links. `start` is the first line
    wanted, counted from 1. What does not fit is folded, then cut; with `start` it is only cut. Raises `UsageError`
    (`unknown_ref`) where the snapshot has no such ref.
    """
    places = _places(snapshot, ref)
    header = _header(snapshot)
    asked = Asked(snapshot, filter, places, ref, max_tokens, urls, start)
    branches = flat(snapshot, places) if filter == "interactive" else nested(snapshot, places)
    lines = listed(branches)
    shown, deeper = _within_depth(lines[start - 1 :], depth)
    budget = max_tokens - _RESERVE - sum(map(estimate, header))
    if start == 1 and depth is None and filter == "all":
        shown = _folded(asked, branches, shown, budget)
    body, tokens = _within_budget(asked, shown, budget)
    notes = [] if lines else [_nothing(filter)]
    if start > len(lines) > 0:
        notes.append(f"… there are {len(lines)} lines; start={start} is past the last.")
    if deeper:
        notes.append(depth_note(deeper, depth or 0))
    if len(body) < len(shown):
        notes.append(leftover_note(asked, lines, shown, len(body), tokens))
    tokens += sum(map(estimate, (*header, *notes)))
    written = sum(1 for line in shown[: len(body)] if not line.folded)
    return Outline("\n".join([*header, *body, *notes]), tokens, written, max(0, len(lines) - start + 1 - written))


def _folded(asked: Asked, branches: Sequence[Branch], lines: list[Line], budget: int) -> list[Line]:
    """Fold as little as is needed; where even the most is not enough, what comes after the limit is cut."""
    folded = lines
    for keep in _KEEPS:
        if len(_within_budget(asked, folded, budget)[0]) == len(folded):
            return folded
        folded = listed(branches, keep)
        tell_folds(asked, lines, folded)
    return folded


def _places(snapshot: Snapshot, ref: int | None) -> range:
    if ref is None:
        return range(len(snapshot.nodes))
    start = snapshot.position(ref)
    if start is None:
        message = f"ref_{ref} is not among the visible elements. Call read_page without ref to see those that are."
        raise UsageError("unknown_ref", message, {"ref": ref})
    return snapshot.subtree(start)


def _header(snapshot: Snapshot) -> list[str]:
    view = snapshot.viewport
    page = f"{view.page_width:.0f}x{view.page_height:.0f}"
    return [
        f"{shown_text(snapshot.url, 300)} | {shown_text(snapshot.title, 200)}",
        f"viewport {view.width:.0f}x{view.height:.0f} at {view.scroll_x:.0f},{view.scroll_y:.0f} of {page}",
    ]


def _within_depth(lines: Sequence[Line], depth: int | None) -> tuple[list[Line], int]:
    if depth is None:
        return list(lines), 0
    kept: list[Line] = []
    for line in lines:
        if line.indent < depth:
            kept.append(line)
        elif kept:
            kept[-1].below += 1
    return kept, len(lines) - len(kept)


def _within_budget(asked: Asked, lines: Sequence[Line], budget: int) -> tuple[list[str], int]:
    body: list[str] = []
    tokens = 0
    for line in lines:
        text = line.written(urls=asked.urls, whole=asked.is_root(line.branch.node))
        tokens += estimate(text)
        if tokens > budget:
            return body, tokens - estimate(text)
        body.append(text)
    return body, tokens


def _nothing(filter: Filter) -> str:
    if filter == "interactive":
        return "… nothing here can be acted on; filter=all shows the text."
    return "… nothing here is visible."
