"""What a person sees while sessions are brought in: a bar on a terminal, nothing that moves elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import asdict

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from freehold.archive.importing import Outcome
from freehold.browser.marks import one_line, short
from freehold.surfaces.cli.machine_output import print_json


async def watched(outcomes: AsyncIterator[Outcome], total: int) -> list[Outcome]:
    """Return all outcomes, with a bar on standard error while they come; where it breaks off, say how far it was."""
    found: list[Outcome] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("sessions", total=total)
        try:
            async for outcome in outcomes:
                found.append(outcome)
                progress.update(bar, advance=1, description=short(outcome.file.stem, 40))
        except BaseException:
            console.print(f"Stopped after {len(found)} of {total} sessions. Run it again: it goes on from here.")
            raise
    return found


def report(server: str, outcomes: list[Outcome], same: int, *, as_json: bool) -> int:
    """Print what was done and return the exit code: 1 where a session failed."""
    failed = [one for one in outcomes if one.state == "failed"]
    states = Counter(one.state for one in outcomes)
    states["same"] += same
    added, messages = sum(one.added for one in outcomes), sum(one.messages for one in outcomes)
    if as_json:
        listed = [{**asdict(one), "file": str(one.file)} for one in outcomes]
        print_json({"server": server, "states": states, "added": added, "messages": messages, "sessions": listed})
        return int(bool(failed))
    counts = ", ".join(f"{number} {state}" for state, number in states.items() if number)
    print(f"{server}: sessions: {counts or 'none'}; messages: {added:,} added of {messages:,}")
    for one in failed:
        print(f"Not archived: {one_line(str(one.file))}: {one_line(one.why)}")
    return int(bool(failed))
