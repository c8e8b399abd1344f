"""What Freehold costs in Pi: until its worker is ready, a warm call, and `pi -p` with and without it.

    python benchmarks/pi_start.py [RUNS]
A real Pi against a scripted model on loopback. Both kinds of run alternate, so that what else the machine does meets
both. The bounds: ready within 300 ms, a warm call within 5 ms, `pi -p` at most 400 ms slower than bare (medians).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from freehold.wire import jsonl
from tests.e2e.pi.host import PACKAGE, WORKER, PiHost
from tests.e2e.pi.model_server import serving

CALLS = 200


class Worker:
    """A worker, started and spoken to as Pi's extension does."""

    def __init__(self, pi: PiHost) -> None:
        environment = os.environ | {"FREEHOLD_HOME": str(pi.home), "PI_CODING_AGENT_DIR": str(pi.agent)}
        self._began = time.perf_counter()
        self._process = subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._last = 0
        self._start = {"cwd": str(pi.project), "agent_folder": str(pi.agent), "mode": "print"}

    def since_start(self) -> float:
        """Return the milliseconds since the process was started."""
        return (time.perf_counter() - self._began) * 1_000

    def start(self) -> float:
        """Return the milliseconds until the worker had declared what it has."""
        number = self.send("start", self._start)
        self.send("sections", {})
        self.answer(number)
        return self.since_start()

    def call(self, name: str) -> float:
        """Return the milliseconds of one call."""
        began = time.perf_counter()
        result = self.answer(self.send("tool.call", {"name": name, "arguments": {}}))
        assert not result["isError"], result
        return (time.perf_counter() - began) * 1_000

    def send(self, method: str, params: dict[str, Any]) -> int:
        """Send a request; return its number."""
        assert self._process.stdin
        self._last += 1
        self._process.stdin.write(
            jsonl.line({"type": "tool_request", "id": self._last, "method": method, "params": params})
        )
        self._process.stdin.flush()
        return self._last

    def answer(self, number: int) -> dict[str, Any]:
        """Return the result of the request `number`."""
        assert self._process.stdout
        while True:
            frame = json.loads(self._process.stdout.readline())
            if frame["type"] == "tool_result" and frame["id"] == number:
                return frame["result"]

    def end(self) -> None:
        """End it as Pi does."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(30)


def workers(pi: PiHost, runs: int) -> tuple[list[float], list[float], list[float]]:
    """Return when workers were ready, when their first call was answered, and warm calls, in milliseconds."""
    ready: list[float] = []
    first: list[float] = []
    warm: list[float] = []
    pi.settings(tools={"memory": "on"})  # a call of these needs no browser
    for _ in range(runs + 1):
        worker = Worker(pi)
        ready.append(worker.start())
        worker.call("pmem_list")
        first.append(worker.since_start())
        warm += [worker.call("pmem_list") for _ in range(CALLS // runs)]
        worker.end()
    pi.settings(tools={})
    return ready[1:], first[1:], warm  # the first one compiles


def prompts(pi: PiHost, runs: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of `pi -p` without the package and with it, one after the other."""
    bare: list[float] = []
    ours: list[float] = []
    for _ in range(runs + 1):
        for extensions, spent in (([], bare), ([str(PACKAGE)], ours)):
            pi.extensions = list(extensions)
            began = time.perf_counter()
            assert pi.ask("Hello").stdout == "Done.\n"
            spent.append((time.perf_counter() - began) * 1_000)
    return bare[1:], ours[1:]


def row(what: str, values: list[float], bound: str = "") -> None:
    """Print the median of `values` and its spread."""
    ordered = sorted(values)
    said = f"{what:<34}{statistics.median(ordered):8.1f} ms   ({ordered[0]:.1f} to {ordered[-1]:.1f})"
    print(f"{said}   {bound}".rstrip())


def main() -> int:
    """Print the figures."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with serving() as model, tempfile.TemporaryDirectory(prefix="fh-") as folder:
        pi = PiHost(Path(folder), model)
        ready, first, warm = workers(pi, runs)
        bare, ours = prompts(pi, runs)
    print(f"medians of {runs} runs (fastest to slowest)")
    row("worker ready", ready, "bound 300 ms")
    row("first call answered, from the start", first)
    row("warm call", warm, "bound 5 ms")
    row("pi -p, bare", bare)
    row("pi -p, with Freehold", ours)
    slower = statistics.median(ours) - statistics.median(bare)
    print(f"{'slower by':<34}{slower:8.1f} ms   bound 400 ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
