"""How long a server takes from its start to its answer to `tools/list`."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from driving.server import devtools, playwright

BARE = Path(__file__).parent / "bare_server.py"
_MESSAGES = (
    {
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "benchmark", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 1, "method": "tools/list"},
)


def list_times(rounds: int, environment: Mapping[str, str]) -> dict[str, float]:
    """Return the medians in seconds, by command; the servers start in turns."""
    commands = {
        "freehold mcp": (sys.executable, "-I", "-m", "freehold", "mcp"),
        "bare server of the same SDK": (sys.executable, "-I", str(BARE)),
        "@playwright/mcp": playwright().command,
        "chrome-devtools-mcp": devtools().command,
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            seconds = _one_start(command, {**os.environ, **environment})
            if number:  # the first one compiles
                taken[name].append(seconds)
    return {name: statistics.median(all_of) for name, all_of in taken.items()}


def _one_start(command: tuple[str, ...], environment: Mapping[str, str]) -> float:
    began = time.perf_counter()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, **pipes) as server:  # pyright: ignore[reportCallIssue, reportArgumentType, reportUnknownVariableType]
        assert server.stdin
        assert server.stdout
        for message in _MESSAGES:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()
        while True:
            answer = json.loads(server.stdout.readline())
            if answer.get("id") == 1:
                break
        seconds = time.perf_counter() - began
        server.stdin.close()
        server.terminate()
    return seconds
