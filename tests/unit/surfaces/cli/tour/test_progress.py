from __future__ import annotations

from io import StringIO

from rich.console import Console

from freehold.surfaces.cli.tour.notes import Check, Notes
from freehold.surfaces.cli.tour.progress import ConsoleProgress
from freehold.surfaces.cli.tour.step import Outcome


def shown(outcome: Outcome) -> str:
    written = StringIO()
    progress = ConsoleProgress(Console(file=written, width=80))
    with progress.showing():
        progress.began(outcome.title)
        progress.ended(outcome)
    return written.getvalue()


def test_where_there_is_no_terminal_a_step_is_one_plain_line() -> None:
    said = shown(Outcome("Search", "", Notes(checks=[Check("is", True, "1", "1")]), 0.5))
    assert "\x1b" not in said
    assert len(said.splitlines()) == 1


def test_a_failed_step_says_what_was_expected_and_what_came() -> None:
    said = shown(Outcome("Search", "", Notes(checks=[Check("it fits", False, "wanted", "came")]), 0.5))
    assert "it fits" in said
    assert "wanted" in said
    assert "came" in said


def test_what_a_page_said_is_no_markup_of_the_terminal_s() -> None:
    said = shown(Outcome("[bold]Search[/nonsense]", "", Notes(), 0.5, error="[/] gone \x1b[2J"))
    assert "[bold]Search[/nonsense]" in said
    assert "[/] gone" in said
    assert "\x1b" not in said
