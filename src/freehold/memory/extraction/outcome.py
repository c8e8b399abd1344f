"""What became of a pass: for the user, who asks later."""

from __future__ import annotations

from typing import Literal

import msgspec

Result = Literal["written", "nothing", "skipped", "failed"]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One pass.

    `result`: "written" (or held), "nothing" worth keeping, "skipped" before a model was asked, "failed". `why`: in
    words. `wrote`: the topics. `held`: the numbers of those that wait for approval. `number`: what `/pmem undo` takes,
    0 where nothing was written. `when`: ISO 8601, UTC.
    """

    when: str
    result: Result
    why: str = ""
    wrote: tuple[str, ...] = ()
    held: tuple[int, ...] = ()
    dropped: tuple[str, ...] = ()
    tokens: int = 0
    model: str = ""
    number: int = 0

    def line(self) -> str:
        """Return it as one line of the log."""
        parts = [self.result, self.why]
        parts += [f"wrote {', '.join(self.wrote)} (undo {self.number})"] if self.wrote else []
        parts += [f"held {', '.join(map(str, self.held))} for approval"] if self.held else []
        parts += [f"dropped {one}" for one in self.dropped]
        return " ".join("; ".join(part for part in parts if part).split())
