"""`freehold memory doctor`: what in the memory would mislead its reader, and how to mend it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

from rich.console import Console
from rich.markup import escape

from freehold.browser.marks import one_line
from freehold.memory.checks.finding import Finding
from freehold.memory.doctor import examine
from freehold.surfaces.cli.console import console
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of

_MARKS = {"wrong": "[bold red]wrong[/]", "note": "[yellow]note [/]"}
_SHOWN = 3


def doctor(project: Project = None, agent: Agent = "", as_json: AsJson = False) -> int:
    """Look for near-duplicates, dead links and paths, a drifted index, stale dates, secrets, and broken or lost files.

    Changes nothing. The exit code is 1 when something is wrong.
    """
    store = store_of(project, agent)
    # Two thousand topics take five seconds; a pipe sees nothing of it.
    with Console(stderr=True).status("Looking at every topic"):
        findings = examine(store)
    wrong = sum(finding.state == "wrong" for finding in findings)
    if as_json:
        print_json({"ok": not wrong, "path": str(store.path), "findings": [asdict(finding) for finding in findings]})
    else:
        _show(findings)
    return int(bool(wrong))


def _show(findings: list[Finding]) -> None:
    out = console()
    for finding in findings:
        place = f"{finding.where}:{finding.line}" if finding.line else finding.where
        out.print(f"{_MARKS[finding.state]}  {escape(one_line(place))}  {escape(one_line(finding.detail))}")
        for line in finding.shared[:_SHOWN]:
            out.print(f"       [dim]both: {escape(one_line(line))}[/]")
        if len(finding.shared) > _SHOWN:
            out.print(f"       [dim]and {len(finding.shared) - _SHOWN} more lines[/]")
        out.print(f"       → {escape(finding.mend)}")
    counts = Counter(finding.state for finding in findings)
    if counts["wrong"]:
        out.print(f"\n[red]{counts['wrong']} to mend; follow the arrows.[/]")
    else:
        out.print("[green]Nothing is wrong with this memory.[/]")
