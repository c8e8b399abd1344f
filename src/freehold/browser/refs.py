"""Refs: `ref_12` names one element of one tab for as long as that element lives. It is never given to another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from freehold.browser.tab import FrameAnswer, Tab, TabState
from freehold.errors import UsageError

_REF = re.compile(r"\[?(?:ref_)?(\d{1,9})\]?")


@dataclass(frozen=True, slots=True)
class Owned:
    """What a page function of a ref answered, the frame it lives in, every frame's parent, and the tab as it now is."""

    frame_id: int
    result: dict[str, Any]
    parents: dict[int, int]
    state: TabState


def parse(ref: str) -> int:
    """Read `ref_12` (also `12` and `[ref_12]`); raise `UsageError` (`invalid_argument`) otherwise."""
    if found := _REF.fullmatch(ref.strip()):
        return int(found[1])
    message = f"{ref!r} is not a ref. A ref looks like ref_12 and comes from read_page or find."
    raise UsageError("invalid_argument", message)


async def ask(tab: Tab, ref: int, function: str, *arguments: Any, timeout: float = 30.0) -> Owned:
    """Call a page function of a ref in whichever frame the element lives.

    Raises `UsageError`: `ref_removed`, `ref_navigated` or `unknown_ref`, and what to call next.
    """
    answer = await tab.page(function, ref, *arguments, timeout=timeout)
    for frame in answer.frames:
        if _status(frame) == "ok":
            parents = {each.frame_id: each.parent_frame_id for each in answer.frames}
            return Owned(frame.frame_id, frame.result, parents, answer.state)
    removed = any(_status(frame) == "removed" for frame in answer.frames)
    raise _lost(ref, removed=removed, next_ref=answer.next_ref)


def _status(frame: FrameAnswer) -> str:
    return frame.result.get("status", "") if frame.result else ""


def _lost(ref: int, *, removed: bool, next_ref: int) -> UsageError:
    if removed:
        return UsageError(
            "ref_removed", f"The element of ref_{ref} has been removed from its page. Call read_page or find again."
        )
    if ref < next_ref:
        message = (
            f"ref_{ref} belongs to a page or frame that has been left. Call read_page or find on the page as it now is."
        )
        return UsageError("ref_navigated", message)
    return UsageError("unknown_ref", f"ref_{ref} was never given out in this tab. Call read_page or find to get refs.")
