"""What a project's passes may cost in a day, and how long to wait after failures. Shared by all of its processes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from freehold.memory.extraction import json_file
from freehold.memory.extraction.clock import Clock, stamp
from freehold.memory.extraction.settings import ExtractionSettings

_FIRST_WAIT = 60.0
_LONGEST_WAIT = 3_600.0


class Usage(msgspec.Struct):
    """What was used on `day` (UTC): passes, and tokens that went in and came out. `failures`: in a row.

    `not_before`: seconds since 1970 until which no pass begins by itself. `fault`: why the last one failed.
    """

    day: str = ""
    passes: int = 0
    tokens: int = 0
    failures: int = 0
    not_before: float = 0.0
    fault: str = ""


class Budget:
    """Counts in `file`; `settings` says how much there is."""

    def __init__(self, file: Path, settings: Callable[[], ExtractionSettings], clock: Clock) -> None:
        self._file = file
        self._settings = settings
        self._clock = clock

    def usage(self) -> Usage:
        """Return what was used today."""
        known = json_file.load(self._file, Usage) or Usage()
        today = stamp(self._clock.now())[:10]
        return known if known.day == today else msgspec.structs.replace(known, day=today, passes=0, tokens=0)

    def begin(self, *, asked: bool = False) -> str:
        """Count a pass; or return why there may be none. `asked`: the user wants it now, whatever failed before."""
        refusal = ""

        def count(usage: Usage) -> None:
            nonlocal refusal
            refusal = self._refusal(usage, asked=asked)
            usage.passes += not refusal

        self._change(count)
        return refusal

    def undo_begin(self) -> None:
        """Take back the count of a pass that asked no model."""

        def uncount(usage: Usage) -> None:
            usage.passes = max(0, usage.passes - 1)

        self._change(uncount)

    def spent(self, tokens: int) -> None:
        """Count tokens."""

        def add(usage: Usage) -> None:
            usage.tokens += tokens

        self._change(add)

    def failed(self, why: str) -> None:
        """Note a failure: each in a row doubles the wait, from a minute up to an hour."""

        def note(usage: Usage) -> None:
            usage.failures += 1
            wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** min(usage.failures - 1, 10))
            usage.not_before, usage.fault = self._clock.now() + wait, why

        self._change(note)

    def succeeded(self) -> None:
        """End the row of failures."""

        def clear(usage: Usage) -> None:
            usage.failures, usage.not_before, usage.fault = 0, 0.0, ""

        self._change(clear)

    def _refusal(self, usage: Usage, *, asked: bool) -> str:
        settings = self._settings()
        if usage.passes >= settings.daily_passes:
            return f"today's {settings.daily_passes} passes are used up (dailyPasses)"
        if usage.tokens >= settings.daily_tokens:
            return f"today's {settings.daily_tokens:,} tokens are used up (dailyTokens)"
        if not asked and self._clock.now() < usage.not_before:
            times = "once" if usage.failures == 1 else f"{usage.failures} times in a row"
            return f"it failed {times} ({usage.fault}); the next pass comes after {stamp(usage.not_before)}"
        return ""

    def _change(self, change: Callable[[Usage], None]) -> None:
        with json_file.changing(self._file):
            usage = self.usage()
            change(usage)
            json_file.save(self._file, usage)
