"""What the fake worker was told."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

DEADLINE = 60.0


class Record:
    """The file that `fake_worker.py` writes."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.command = [sys.executable, "-I", str(Path(__file__).parent / "fake_worker.py"), str(file)]

    def messages(self, method: str = "") -> list[dict[str, Any]]:
        """Return what came, or only what came as `method`."""
        lines = self.file.read_bytes().split(b"\n") if self.file.exists() else []
        told = [json.loads(line) for line in lines if line]
        return [message for message in told if not method or message["method"] == method]

    def events(self, name: str = "") -> list[dict[str, Any]]:
        """Return the payloads of the events, each with its `name`, or only those called `name`."""
        told = [message["params"] for message in self.messages("event")]
        return [{"name": each["name"], **each["payload"]} for each in told if not name or each["name"] == name]

    def wait_for(self, method: str, count: int = 1) -> list[dict[str, Any]]:
        """Return what came as `method`, once there are `count` of it."""
        deadline = time.monotonic() + DEADLINE
        while len(found := self.messages(method)) < count:
            assert time.monotonic() < deadline, f"{count} of {method} did not come: {self.messages()}"
            time.sleep(0.02)
        return found

    @property
    def pids(self) -> list[int]:
        """The workers that were started, in their order."""
        return [message["pid"] for message in self.messages("start")]
