"""`freehold try`: runs the tour, shows it, and leaves a report."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from datetime import datetime
from functools import partial
from pathlib import Path

import anyio
import msgspec
from rich.console import Console
from rich.markup import escape

from freehold import __version__
from freehold.errors import UsageError
from freehold.surfaces.cli.tour import connect
from freehold.surfaces.cli.tour.connect import Connect
from freehold.surfaces.cli.tour.journey import Journal, travel
from freehold.surfaces.cli.tour.own_browser import own_browser
from freehold.surfaces.cli.tour.progress import ConsoleProgress
from freehold.surfaces.cli.tour.report import render
from freehold.surfaces.cli.tour.steps import STEPS
from freehold.surfaces.cli.tour.verdict import Verdict

_ENDED_BY_SIGNAL = 128


def run(report: Path | None, json: bool, headed: bool) -> int:
    """Run the tour and return the exit code: 0 when every step passed, 1 when one did not, 128 + n after signal n.

    `report`: where the page goes, else a new file in the temporary folder. `json`: the facts on standard output, and
    what a person reads on standard error. Raises `UsageError` (`invalid_argument`) for a report that
    cannot be written, before anything is started.
    """
    file = _report_file(report)
    console = Console(stderr=json)
    progress = ConsoleProgress(console)
    journal = Journal()
    began, started = datetime.now().astimezone().isoformat(" ", "seconds"), time.monotonic()
    with progress.showing():
        anyio.run(travel, journal, STEPS, partial(own_browser, headless=not headed), progress)
    verdict = Verdict(journal.outcomes, __version__, journal.browser, began, time.monotonic() - started)
    lines = connect.here()
    file.write_text(render(verdict, lines), "utf-8")
    _say(console, verdict, file, lines)
    if json:
        facts = {**verdict.to_data(), "report": str(file), "next": [command for _, command in lines.lines()]}
        sys.stdout.write(msgspec.json.encode(facts).decode() + "\n")
    return _ENDED_BY_SIGNAL + journal.signal if journal.signal else int(not verdict.passed)


def _report_file(report: Path | None) -> Path:
    if report is None:
        descriptor, name = tempfile.mkstemp(prefix="freehold-tour-", suffix=".html")
        os.close(descriptor)
        return Path(name)
    try:
        # Opened for appending: whether it can be written is known now, and an older report stays until the new one.
        report.open("a").close()
    except OSError as error:
        message = f"The report {report} cannot be written: {error.strerror}. Name a file in a folder that exists."
        raise UsageError("invalid_argument", message) from error
    return report.absolute()


def _say(console: Console, verdict: Verdict, file: Path, connect_lines: Connect) -> None:
    style = "bold green" if verdict.passed else "bold red"
    console.print(f"\n[{style}]{escape(verdict.summary)}[/{style}] in {verdict.seconds:.1f} s", highlight=False)
    console.print(f"Report: {escape(str(file))}", highlight=False, soft_wrap=True)
    for purpose, command in connect_lines.lines():
        console.print(f"\n{purpose}:\n    [bold]{escape(command)}[/bold]", highlight=False, soft_wrap=True)
