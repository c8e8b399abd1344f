"""What a person sees while the tour runs: a moving line on a terminal, plain lines elsewhere."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from freehold.browser.marks import one_line
from freehold.surfaces.cli.tour.step import Outcome


class Progress(Protocol):
    """Told when a step begins and ends."""

    def began(self, title: str) -> None:
        """Say that a step has begun."""
        ...

    def ended(self, outcome: Outcome) -> None:
        """Say how a step ended."""
        ...

    def left_out(self, count: int, why: str) -> None:
        """Say that `count` steps were not run or not finished, and why."""
        ...


class ConsoleProgress:
    """Progress on `console`: a spinner while a step runs where it is a terminal, plain lines where it is not."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status: Status | None = console.status("") if console.is_terminal else None

    def showing(self) -> AbstractContextManager[object]:
        """Return the context in which the spinner turns; leaving it clears the line, whatever happened inside."""
        return self._status or nullcontext()

    def began(self, title: str) -> None:
        """Say that a step has begun; without a terminal, only its end is worth a line."""
        if self._status:
            self._status.update(escape(title))

    def ended(self, outcome: Outcome) -> None:
        """Say how a step ended, and where it failed, what was expected and what came."""
        mark = "[green]✓[/green]" if outcome.passed else "[bold red]✗[/bold red]"
        self._console.print(f"{mark} {escape(outcome.title)} [dim]{outcome.seconds:.1f} s[/dim]", highlight=False)
        for line in failures(outcome):
            self._console.print(f"    {escape(line)}", style="red", highlight=False, soft_wrap=True)

    def left_out(self, count: int, why: str) -> None:
        """Say that steps were not run or not finished, and why."""
        line = f"✗ {count} step{'' if count == 1 else 's'} not run: {escape(why)}"
        self._console.print(line, style="red", highlight=False, soft_wrap=True)


def failures(outcome: Outcome) -> list[str]:
    """Say what went wrong in a step, a line each; nothing for a step that passed."""
    wrong = [check for check in outcome.notes.checks if not check.passed]
    lines = [f"{check.sentence}: expected {_short(check.expected)}, got {_short(check.got)}" for check in wrong]
    if outcome.error:
        lines.append(_short(outcome.error, 400))
    if not outcome.error and not outcome.notes.checks:
        lines.append("The step checked nothing.")
    return lines


def _short(text: str, limit: int = 160) -> str:
    said = one_line(text)
    return said if len(said) <= limit else f"{said[: limit - 1]}…"
