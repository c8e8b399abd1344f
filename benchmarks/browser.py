"""Freehold's browser tools beside those of @playwright/mcp and chrome-devtools-mcp, each over MCP on standard input and
output with a headless Chromium of its own, in turns: what a task takes, what a reading takes and costs, and what a
start takes.

    python benchmarks/browser.py [--quick] [--missing] [--write FILE]
Real pages come from the folder named by FREEHOLD_DATA. Read the times as ratios: all run on this machine in turns.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
from driving import pages
from driving.coverage import coverage
from driving.figures import Figures, Reading
from driving.install import install_peers
from driving.report import report
from driving.server import Server, chromium, devtools, freehold, playwright, started
from driving.starts import list_times
from driving.tokens import tokens

_BIG_ROUNDS = 3
HEAD = """# The browser tools beside two peers

Made by `.venv/bin/python benchmarks/browser.py --write docs/browser-figures.md`: one run on one machine, the servers in
turns, each over MCP on standard input and output with a headless Chromium of its own; medians. Read the times as
ratios. How a reading is written, and why, is told in [outline.md](outline.md).
"""


async def _timed(work: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await work()
    return (time.perf_counter() - began) * 1_000


async def _task(server: Server, url: str) -> dict[str, float]:
    steps: dict[str, float] = {"navigate": await _timed(lambda: server.navigate(url))}
    began = time.perf_counter()
    ref = await server.ref("button", "Send the order")
    steps["read"] = (time.perf_counter() - began) * 1_000
    steps["click"] = await _timed(lambda: server.call(server.kind.click(ref)))
    return steps | {"total": sum(steps.values())}


async def tasks(servers: list[Server], url: str, rounds: int) -> dict[str, dict[str, float]]:
    """Return the medians of navigate, read and click by server."""
    taken: dict[str, list[dict[str, float]]] = {server.kind.name: [] for server in servers}
    for number in range(rounds + 1):
        for server in servers:
            steps = await _task(server, url)
            if number:  # the first one warms up
                taken[server.kind.name].append(steps)
    return {
        name: {step: statistics.median(row[step] for row in rows) for step in rows[0]} for name, rows in taken.items()
    }


async def reading(servers: list[Server], name: str, url: str, rounds: int) -> Reading:
    """Read one page with every server in turns."""
    for server in servers:
        await server.navigate(url)
    texts: dict[str, str] = {}
    times: dict[str, list[float]] = {server.kind.name: [] for server in servers}
    for _ in range(rounds):
        for server in servers:
            began = time.perf_counter()
            texts[server.kind.name] = await server.read()
            times[server.kind.name].append((time.perf_counter() - began) * 1_000)
    ours, *peers = servers
    covered = {
        peer.kind.name: await coverage(ours, texts[ours.kind.name], peer, texts[peer.kind.name]) for peer in peers
    }
    counts = tokens(list(texts.values()))
    return Reading(
        page=name,
        milliseconds={server: statistics.median(all_of) for server, all_of in times.items()},
        tokens=dict(zip(texts, counts, strict=True)),
        coverage=covered,
    )


async def overheads(servers: list[Server], url: str, rounds: int) -> dict[str, float]:
    """Return the median of a warm call that lists the tabs, by server."""
    taken: dict[str, list[float]] = {server.kind.name: [] for server in servers}
    for server in servers:
        await server.navigate(url)
    for _ in range(rounds):
        for server in servers:
            taken[server.kind.name].append(await _timed(lambda server=server: server.call(server.kind.overhead)))
    return {name: statistics.median(all_of) for name, all_of in taken.items()}


async def measure(*, quick: bool) -> Figures:
    """Start the three and measure everything."""
    rounds = 3 if quick else 15
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="fh-") as folder, pages.serving() as addresses:
        home = Path(folder)
        (home / "config.toml").write_text(f'executable = "{chromium()}"\n')
        environment = {"FREEHOLD_HOME": folder, "PATH": os.environ["PATH"]}
        async with AsyncExitStack() as stack:
            kinds = (freehold(), playwright(), devtools())
            servers = [await stack.enter_async_context(started(kind, environment, home)) for kind in kinds]
            form = addresses.pop("form")
            tasks_taken = await tasks(servers, form, rounds)
            calls = await overheads(servers, form, rounds * 4)
            readings = [
                await reading(servers, name, url, _BIG_ROUNDS if "controls" in name else max(3, rounds // 3))
                for name, url in addresses.items()
            ]
        starts = list_times(3 if quick else 9, environment)
    return Figures({kind.name: kind.version for kind in kinds}, load, tasks_taken, calls, readings, starts)


def main() -> int:
    """Print the figures; 2 where the peers cannot be installed."""
    if problem := install_peers():
        print(problem, file=sys.stderr)
        return 2
    if not pages.saved():
        print("No saved pages: set FREEHOLD_DATA to the folder that holds find/ and readability/.", file=sys.stderr)
    figures = anyio.run(lambda: measure(quick="--quick" in sys.argv))
    said = report(figures)
    print(said)
    if "--write" in sys.argv:
        file = Path(sys.argv[sys.argv.index("--write") + 1])
        file.write_text(f"{HEAD}\n{said}\n", encoding="utf-8")
    if "--missing" in sys.argv:
        for row in figures.readings:
            for peer, covered in row.coverage.items():
                print(*(f"{row.page}: {peer} {line}" for line in covered.missing), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
