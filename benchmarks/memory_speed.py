"""How long recall takes as a store grows from 128 to 2,000 topics of 4 kB, and how much memory.

    python benchmarks/memory_speed.py [--plot docs/memory_speed.svg]

First index (s, in a process of its own, with its CPU time and its peak of memory), a search with its sync and nothing
changed, the sync and the query alone, a warm call of `pmem_search` as a surface makes it, and `freehold memory search`
from a cold shell (ms, medians).
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import anyio

from freehold.app.runtime import open_runtime
from freehold.memory.kept_indexes import KeptIndexes
from freehold.memory.project import project_of, store_folder
from freehold.memory.recall import index_file, search
from freehold.memory.scan import Limits
from freehold.memory.search_index import SearchIndex

COUNTS = (128, 256, 512, 1_000, 2_000)
_BYTES = 4_000
_QUERIES, _COLD = 40, 7
_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_SERIES = {
    "cold": "cold shell",
    "search": "search with sync",
    "tool": "warm pmem_search",
    "sync": "sync alone",
    "query": "query alone",
}
_SYLLABLES = [a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in ("", "n", "r", "st")]


class Writer:
    """Writes topics whose words are as frequent as those of a language are (Zipf), the same ones each time."""

    def __init__(self) -> None:
        self._random = random.Random(3)
        common = re.findall(
            r"\w+", "the of and to in a is it for on with as we that by not be at from this when are or"
        )
        made = ("".join(self._random.choices(_SYLLABLES, k=self._random.randint(1, 4))) for _ in range(30_000))
        self.words = list(dict.fromkeys([*common, *made]))
        self._weights = [1 / (at + 3) for at in range(len(self.words))]

    def sentence(self) -> str:
        """Return eight to twenty words."""
        words = self._random.choices(self.words, self._weights, k=self._random.randint(8, 20))
        return " ".join(words).capitalize() + "."

    def query(self) -> str:
        """Return a question of six words, most of them neither frequent nor rare."""
        return " ".join(["how", "the", *self._random.sample(self.words[30:3_000], 4)])

    def topic(self, number: int) -> str:
        """Return a topic with front matter, headings, paragraphs and lists."""
        title = " ".join(self._random.sample(self.words[30:8_000], 4))
        lines = [
            "---",
            f"title: {title}",
            f"description: {self.sentence()}",
            "type: fact",
            "updated: 2026-05-04",
            "---",
        ]
        size = 0
        while size < _BYTES:
            block = [f"## {title.split()[0]} {number}", "", self._paragraph(), "", *self._list(), ""]
            lines += block
            size += sum(map(len, block))
        return "\n".join(lines)[:_BYTES] + "\n"

    def _paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(4))

    def _list(self) -> list[str]:
        return [f"- {self.sentence()}" for _ in range(3)]


def milliseconds(work: Callable[[], object]) -> float:
    """Return how long `work` takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1_000


def measured(count: int, folder: Path) -> dict[str, float]:
    """Make a store of `count` topics and return its figures in ms and MB."""
    writer, work = Writer(), folder / f"project-{count}"
    work.mkdir()
    store = store_folder(project_of(work))
    store.mkdir(parents=True)
    for number in range(count):
        (store / f"topic-{number}.md").write_text(writer.topic(number))
    queries = [writer.query() for _ in range(_QUERIES)]
    # A process of its own, so that nothing is warm and its peak is the index's alone.
    first = json.loads(_run(work, __file__, "--first", str(store), queries[0]))
    # Kept open from search to search, as an agent's server keeps it.
    indexes = KeptIndexes()
    warm = [search(store, query, opened=indexes.opened) for query in [queries[0], *queries]][1:]
    indexes.close()
    with SearchIndex(index_file(store)) as index:
        unchanged = [milliseconds(lambda: index.sync(store, Limits())) for _ in range(_QUERIES)]
    command = ("-I", "-m", "freehold", "memory", "search", queries[0])
    return {
        "topics": count,
        **first,
        "search": statistics.median(each.seconds for each in warm) * 1_000,
        "sync": statistics.median(unchanged),
        "tool": anyio.run(warm_tool, work, queries),
        "query": statistics.median(each.query_seconds for each in warm) * 1_000,
        "cold": statistics.median(milliseconds(lambda: _run(work, *command)) for _ in range(_COLD)),
    }


async def warm_tool(project: Path, queries: list[str]) -> float:
    """Return the median of a call of `pmem_search`, sync included."""
    taken: list[float] = []
    async with open_runtime(session="benchmark", project=project) as runtime:
        for query in [queries[0], *queries]:
            began = time.perf_counter()
            result = await runtime.call("pmem_search", {"query": query})
            taken.append((time.perf_counter() - began) * 1_000)
            if result.is_error:
                raise SystemExit(result.text)
    return statistics.median(taken[1:])


def _run(folder: Path, *command: str) -> bytes:
    return subprocess.run(
        [sys.executable, *command], cwd=folder, check=True, stdout=subprocess.PIPE, timeout=120
    ).stdout


def first_index(store: str, query: str) -> None:
    """Index `store` for the first time and print the seconds and the peak of this process."""
    cpu, began = time.process_time(), time.perf_counter()
    search(Path(store), query)
    spent = {"first_s": time.perf_counter() - began, "first_cpu_s": time.process_time() - cpu}
    print(json.dumps({**spent, "peak_mb": _peak()}))


def _peak() -> float:
    # Linux counts in kB, macOS in bytes.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def plot(rows: list[dict[str, float]]) -> str:
    """Return the growth as SVG: topics from left to right, ms from bottom to top, both by their logarithms."""
    low, high = 1.0, 500.0
    across = {row["topics"]: 70 + 420 * math.log(row["topics"] / COUNTS[0], COUNTS[-1] / COUNTS[0]) for row in rows}

    def up(value: float) -> float:
        return 300 - 270 * math.log(max(value, low) / low, high / low)

    marks = [f'<path d="M70 {up(tick):.0f}H490" stroke="#8884"/>' for tick in _TICKS]
    marks += [f'<text x="62" y="{up(tick) + 4:.0f}" text-anchor="end">{tick}</text>' for tick in _TICKS]
    marks += [f'<text x="{x:.0f}" y="320" text-anchor="middle">{count:,}</text>' for count, x in across.items()]
    for (name, label), colour in zip(
        _SERIES.items(), ("#b5542d", "#2d6db5", "#8a5fb5", "#3d8a4f", "#777"), strict=True
    ):
        points = " ".join(f"{across[row['topics']]:.0f},{up(row[name]):.0f}" for row in rows)
        marks.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        last = rows[-1][name]
        marks.append(f'<text x="498" y="{up(last) + 4:.0f}" fill="{colour}">{label} {last:.1f}</text>')
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 350" '
    head += 'font-family="sans-serif" font-size="12" fill="#777">'
    foot = '<text x="280" y="342" text-anchor="middle">topics of 4 kB; milliseconds, medians</text></svg>'
    return "\n".join([head, *marks, foot, ""])


def main() -> int:
    """Print the table; write the plot where one is asked for."""
    if sys.argv[1:2] == ["--first"]:
        first_index(*sys.argv[2:4])
        return 0
    rows: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"FREEHOLD_HOME": f"{folder}/home", "PI_CODING_AGENT_DIR": f"{folder}/agent"}
        for count in COUNTS:
            rows.append(measured(count, Path(folder)))
            if count == COUNTS[0]:
                print("  ".join(f"{name:>11}" for name in rows[0]))
            print("  ".join(f"{value:11.2f}" for value in rows[-1].values()), flush=True)
    if sys.argv[1:2] == ["--plot"]:
        Path(sys.argv[2]).write_text(plot(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
