"""`freehold doctor`: which hop between an agent and the browser does not hold, and what to do about it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import anyio
import typer
from rich.markup import escape

from freehold import __version__, paths
from freehold.app import archive_doctor, settings
from freehold.app.pi import doctor as pi
from freehold.browser import doctor as hops
from freehold.browser import installed
from freehold.browser.doctor import Check, Installation
from freehold.surfaces.cli.console import console
from freehold.surfaces.cli.machine_output import print_json

_MARKS = {"ok": "[green]ok   [/]", "wrong": "[bold red]wrong[/]", "note": "[yellow]note [/]"}


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print for machines.")] = False) -> int:
    """Check every step between your agent and your browser and say how to repair what is wrong.

    Changes nothing. The exit code is 1 when something is wrong.
    """
    browsers = installed.installed(installed.Machine.this())
    found = anyio.run(hops.examine, Installation(paths.home(), browsers, paths.extension_source()))
    checks = [settings.check(), *found, *pi.checks(), *anyio.run(archive_doctor.examine)]
    healthy = all(check.state != "wrong" for check in checks)
    if as_json:
        print_json({"version": __version__, "ok": healthy, "checks": [asdict(check) for check in checks]})
    else:
        _show(checks, healthy=healthy)
    return int(not healthy)


def _show(checks: list[Check], *, healthy: bool) -> None:
    out = console()
    for check in checks:
        out.print(f"{_MARKS[check.state]}  {escape(check.hop)}  [dim]{escape(check.detail)}[/]")
        if check.fix:
            out.print(f"       → {escape(check.fix)}")
    out.print(
        "\n[green]Everything holds.[/]" if healthy else "\n[red]Something is wrong; follow the arrows, from the top.[/]"
    )
