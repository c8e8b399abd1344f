"""`/pmem status`: whether memory writes itself, what it did last, and what it may still cost today."""

from __future__ import annotations

from typing import Any

from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


async def run(extraction: Extraction, arguments: str) -> Reply:
    """Return the status."""
    del arguments
    status = extraction.status()
    return Reply("\n".join(_lines(status)), status)


def _lines(status: dict[str, Any]) -> list[str]:
    on = "on" if status["autoExtract"] else "off (turn it on: /pmem on)"
    budget = status["budget"]
    lines = [
        f"Memory writes itself: {on}; model {status['extractModel']}, mode {status['mode']}",
        f"{'A pass runs now' if status['busy'] else 'Nothing runs'}; {status['waiting']} settled and waiting",
        f"Today: {budget['passes']} of {budget['dailyPasses']} passes and {_tokens(budget)}",
    ]
    if budget["notBefore"]:
        times = "once" if budget["failures"] == 1 else f"{budget['failures']} times in a row"
        lines.append(f"It failed {times} ({budget['fault']}); the next pass comes after {budget['notBefore']}")
    if status["last"]:
        lines += _last(status["last"])
    if status["pending"]:
        lines.append(f"{status['pending']} wait for your approval: /pmem pending")
    return lines


def _tokens(budget: dict[str, Any]) -> str:
    return f"{budget['tokens']:,} of {budget['dailyTokens']:,} tokens"


def _last(last: dict[str, Any]) -> list[str]:
    why = f": {last['why']}" if last["why"] else ""
    lines = [f"Last pass, {last['when']}: {last['result']}{why}"]
    if last["wrote"]:
        lines.append(f"It wrote {', '.join(last['wrote'])} (to undo: /pmem undo {last['number']})")
    return lines
