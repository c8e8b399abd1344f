"""How the archive bears many messages: ingest, search and memory over HTTP while it grows, on either database.

    python benchmarks/archive_scale.py [--messages N] [--database URL]

Starts `freehold serve` and writes N messages (default 1,000,000) of about 400 bytes, English and Chinese, into threads
of 50, in appends of 20 by four clients. At each step it searches for terms that 3 messages have and for one that 40 %
have. What it prints for each step: messages a second, milliseconds of a search (median and 99th of a hundred), the
server's memory, and the processor time that 1,000 messages took it, which tells more where the machine is shared. The
last lines are the growth of the searches, drawn.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import httpx2

STEPS = (10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
APPEND, THREAD, CLIENTS, SEARCHES = 20, 50, 4, 100
COMMON = "gateway"
_WORDS = 30_000
_CHINESE = (
    "缓存",
    "部署",
    "数据库",
    "连接",
    "超时",
    "重试",
    "配置",
    "服务",
    "日志",
    "错误",
    "测试",
    "合并",
    "分支",
    "线程",
    "消息",
    "搜索",
    "索引",
    "备份",
    "恢复",
    "密钥",
)


class Speaker:
    """Makes messages: words by Zipf's law, some Chinese, a term of 40 % of all and one of three messages each."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        letters = random.Random(7)
        self._words = [
            "".join(letters.choices("abcdefghiklmnoprstuvwyz", k=letters.randint(3, 9))) for _ in range(_WORDS)
        ]
        self._weights = [1 / (rank + 10) for rank in range(_WORDS)]

    def messages(self, count: int, first: int) -> list[dict[str, Any]]:
        """Return `count` messages, the first of them number `first` of all."""
        return [
            {"role": ("user", "assistant")[at % 2], "content": self._content(at), "external_id": f"m{at}"}
            for at in range(first, first + count)
        ]

    def _content(self, at: int) -> str:
        said = self._random.choices(self._words, self._weights, k=48)
        if self._random.random() < 0.4:
            said[5] = COMMON
        if self._random.random() < 0.3:
            said[20:26] = ["".join(self._random.choices(_CHINESE, k=3))]
        said[10] = f"rare{at // 3}"
        return " ".join(said)


def ingest(address: str, first: int, last: int) -> float:
    """Write messages `first` to `last` and return the seconds it took."""
    threads: Queue[int] = Queue()
    for start in range(first, last, THREAD):
        threads.put(start)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        speaker = Speaker(seed)
        try:
            with httpx2.Client(base_url=address, timeout=60) as client:
                while (start := _next(threads)) is not None:
                    end = min(start + THREAD, last)
                    _post(client, "/threads", {"thread_id": f"t{start}", "messages": [], "title": f"Talk {start}"})
                    for at in range(start, end, APPEND):
                        body = {"messages": speaker.messages(min(APPEND, end - at), at), "idempotency_key": f"k{at}"}
                        _post(client, f"/threads/t{start}/append", body)
        except BaseException as error:  # noqa: BLE001 - told after the others have stopped
            failures.append(error)

    began = time.perf_counter()
    workers = [threading.Thread(target=work, args=(first + at,)) for at in range(CLIENTS)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    if failures:
        raise failures[0]
    return time.perf_counter() - began


def _next(threads: Queue[int]) -> int | None:
    try:
        return threads.get_nowait()
    except Empty:
        return None


def _post(client: httpx2.Client, path: str, body: dict[str, Any]) -> None:
    response = client.post(path, json=body)
    response.raise_for_status()


def search(address: str, queries: list[str]) -> list[float]:
    """Return the milliseconds of each search; each must find something."""
    took: list[float] = []
    with httpx2.Client(base_url=address, timeout=60) as client:
        for query in queries:
            began = time.perf_counter()
            answer = client.get("/threads/search", params={"query": query, "limit": 10})
            took.append((time.perf_counter() - began) * 1_000)
            answer.raise_for_status()
            assert answer.json()["total_found"], query
    return sorted(took)


def resident(pid: int) -> float:
    """Return the megabytes that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def spent(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def steps(messages: int) -> Iterator[tuple[int, int]]:
    """Yield from which to which number each step writes."""
    ends = sorted({*(step for step in STEPS if step < messages), messages})
    yield from zip((0, *ends), ends, strict=False)


def measure(address: str, pid: int, messages: int) -> list[tuple[int, float, float]]:
    """Print a line a step; return for each the messages and the two medians."""
    searches = f"{'rare p50':>10}{'p99':>8}{'common p50':>12}{'p99':>8}"
    print(f"{'messages':>10}{'a second':>10}{searches}{'MB':>7}{'CPU ms/1000':>13}")
    found: list[tuple[int, float, float]] = []
    for first, last in steps(messages):
        before = spent(pid)
        took = ingest(address, first, last)
        cost = (spent(pid) - before) / (last - first) * 1_000_000
        chosen = random.Random(last)
        rare = search(address, [f"rare{chosen.randrange(last // 3)}" for _ in range(SEARCHES)])
        common = search(address, [f"{COMMON} {word}" if at % 2 else COMMON for at, word in enumerate(_CHINESE * 5)])
        figures = f"{(last - first) / took:10.0f}{statistics.median(rare):10.1f}{rare[98]:8.1f}"
        print(
            f"{last:10}{figures}{statistics.median(common):12.1f}{common[98]:8.1f}{resident(pid):7.0f}{cost:13.0f}",
            flush=True,
        )
        found.append((last, statistics.median(rare), statistics.median(common)))
    return found


def draw(found: list[tuple[int, float, float]]) -> None:
    """Draw the medians of the two kinds of search as they grow."""
    most = max(max(rare, common) for _, rare, common in found)
    for name, at in (("rare", 1), ("common", 2)):
        print(f"\n{name}, ms")
        for row in found:
            print(f"{row[0]:10} {'#' * max(1, round(50 * row[at] / most))} {row[at]:.1f}")


def main() -> int:
    """Measure one database."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--database", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = ["--database", options.database] if options.database else ["--data", f"{folder}/archive.db"]
        command = [str(Path(sys.executable).parent / "freehold"), "serve", "--port", "0", *place]
        environment = {**os.environ, "FREEHOLD_HOME": folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stdout is not None
            address = re.findall(r"http://\S+:\d+", server.stdout.readline())[0]
            try:
                draw(measure(address, server.pid, options.messages))
                if not options.database:
                    print(f"\nthe file: {Path(folder, 'archive.db').stat().st_size / 1e6:.0f} MB")
            finally:
                server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
