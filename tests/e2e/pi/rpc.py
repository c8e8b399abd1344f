"""`pi --mode rpc`: commands in, answers and events out, a JSON object a line."""

from __future__ import annotations

import itertools
import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

DEADLINE = 60.0
Record = dict[str, Any]


class Rpc:
    """A running Pi. `seen` holds every record so far; `wait` looks at those that come after the last one waited for."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self.process = process
        self.seen: list[Record] = []
        self.errors = ""
        self._stdin = process.stdin
        self._records: queue.Queue[Record | None] = queue.Queue()
        self._ids = itertools.count(1)
        self._threads = [
            threading.Thread(target=self._read, args=(process.stdout,), daemon=True),
            threading.Thread(target=self._listen, args=(process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @classmethod
    @contextmanager
    def started(cls, command: list[str], folder: Path, environment: Mapping[str, str]) -> Generator[Self]:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        rpc = cls(process)
        try:
            yield rpc
        finally:
            rpc.close()

    def send(self, kind: str, **more: Any) -> str:
        """Send a command without waiting; return its id."""
        number = f"r{next(self._ids)}"
        self._stdin.write(json.dumps({"id": number, "type": kind, **more}).encode() + b"\n")
        self._stdin.flush()
        return number

    def call(self, kind: str, **more: Any) -> Record:
        """Send a command and return the data of its answer."""
        number = self.send(kind, **more)
        answer = self.wait(lambda record: record.get("type") == "response" and record.get("id") == number)
        assert answer["success"], answer
        return answer.get("data") or {}

    def prompt(self, text: str, **more: Any) -> Record:
        """Send a prompt; returns once Pi has taken it."""
        return self.call("prompt", message=text, **more)

    def settled(self) -> Record:
        """Wait for the run to have settled."""
        return self.event("agent_settled")

    def run(self, text: str) -> Record:
        """Send a prompt and wait for its run to have settled."""
        self.prompt(text)
        return self.settled()

    def event(self, kind: str, **like: Any) -> Record:
        """Wait for an event with these fields."""
        return self.wait(
            lambda record: record.get("type") == kind and all(record.get(name) == value for name, value in like.items())
        )

    def notice(self, part: str) -> str:
        """Wait for a notice of an extension that has `part` in it; return its text."""
        found = self.wait(
            lambda record: record.get("type") == "extension_ui_request" and part in str(record.get("message", ""))
        )
        return str(found["message"])

    def wait(self, wanted: Callable[[Record], bool]) -> Record:
        """Return the next record that is `wanted`."""
        while True:
            try:
                record = self._records.get(timeout=DEADLINE)
            except queue.Empty:
                raise AssertionError(
                    f"did not come; the last were {self.seen[-5:]}, said {self.errors[-500:]}"
                ) from None
            if record is None:
                raise AssertionError(f"Pi ended; the last were {self.seen[-5:]}, said {self.errors[-500:]}")
            if wanted(record):
                return record

    def kill(self, number: signal.Signals) -> int:
        """Send a signal to Pi alone; return the exit status it ended with."""
        self.process.send_signal(number)
        return self.process.wait(DEADLINE)

    def interrupt(self) -> int:
        """Do what Ctrl-C in a terminal does: SIGINT to Pi and all its children."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(DEADLINE)

    def close(self) -> int:
        """End Pi as a client does, by closing its input."""
        if self.process.poll() is None:
            self._stdin.close()
            try:
                self.process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise
        for thread in self._threads:
            thread.join(DEADLINE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        return self.process.wait(DEADLINE)

    def _read(self, stream: IO[bytes]) -> None:
        # Split on LF alone, as Pi's framing says; iterating over bytes does.
        for line in stream:
            record = json.loads(line)
            self.seen.append(record)
            self._records.put(record)
        self._records.put(None)

    def _listen(self, stream: IO[bytes]) -> None:
        for line in stream:
            self.errors += line.decode("utf-8", "replace")
