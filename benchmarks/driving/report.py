"""The figures as Markdown tables, each with what was aimed at."""

from __future__ import annotations

from driving.figures import Figures, Reading

OURS, PLAYWRIGHT, DEVTOOLS = "freehold", "@playwright/mcp", "chrome-devtools-mcp"
BARE = "bare server of the same SDK"


def report(figures: Figures) -> str:
    """Return all tables."""
    versions = ", ".join(f"{name} {version}" for name, version in figures.versions.items())
    head = f"{versions}; load average before: {figures.load:.2f}"
    parts = (_tasks(figures), _times(figures.readings), _tokens(figures.readings), _starts(figures))
    return "\n\n".join((head, *parts))


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _tasks(figures: Figures) -> str:
    steps = ("navigate", "read", "click", "total")
    rows = [[name, *(f"{taken[step]:.0f}" for step in steps)] for name, taken in figures.tasks.items()]
    total = {name: taken["total"] for name, taken in figures.tasks.items()}
    ratio = total[OURS] / min(total[PLAYWRIGHT], total[DEVTOOLS])
    calls = [[name, f"{taken:.1f}"] for name, taken in figures.calls.items()]
    return (
        f"A static form page, ms: {ratio:.2f} of the faster peer's total (aim: at most 0.50).\n\n"
        f"{_table(['', *steps], rows)}\n\n"
        f"A warm call that lists the tabs, ms (aim: under 5).\n\n{_table(['', 'ms'], calls)}"
    )


def _times(readings: list[Reading]) -> str:
    rows = [
        [
            row.page,
            *(f"{row.milliseconds[name]:.0f}" for name in (OURS, PLAYWRIGHT, DEVTOOLS)),
            f"{row.milliseconds[PLAYWRIGHT] / row.milliseconds[OURS]:.1f}",
        ]
        for row in readings
    ]
    head = ["page", OURS, PLAYWRIGHT, DEVTOOLS, "times faster than Playwright"]
    return f"One whole reading, ms (aim: at least 3 times faster than Playwright).\n\n{_table(head, rows)}"


def _tokens(readings: list[Reading]) -> str:
    rows: list[list[str]] = []
    for row in readings:
        smaller = min(row.tokens[PLAYWRIGHT], row.tokens[DEVTOOLS])
        lacking = "; ".join(f"{len(each.missing)} of {each.controls}" for each in row.coverage.values())
        counts = (f"{row.tokens[name]:,}" for name in (OURS, PLAYWRIGHT, DEVTOOLS))
        rows.append([row.page, *counts, f"{row.tokens[OURS] / smaller:.0%}", lacking])
    sums = {name: sum(row.tokens[name] for row in readings) for name in (OURS, PLAYWRIGHT, DEVTOOLS)}
    share = sums[OURS] / min(sums[PLAYWRIGHT], sums[DEVTOOLS])
    rows.append(["all", *(f"{count:,}" for count in sums.values()), f"{share:.0%}", ""])
    head = ["page", OURS, PLAYWRIGHT, DEVTOOLS, "of the smaller peer", "controls without a ref of ours"]
    return f"One whole reading, tokens of cl100k (aim: at most 60 % of the smaller peer).\n\n{_table(head, rows)}"


def _starts(figures: Figures) -> str:
    rows = [[name, f"{seconds:.2f}"] for name, seconds in figures.starts.items()]
    later = figures.starts["freehold mcp"] - figures.starts[BARE]
    said = f"From start to `tools/list`, s: {later:+.2f} to the bare server (aim: at most +0.15)."
    return f"{said}\n\n{_table(['', 's'], rows)}"
