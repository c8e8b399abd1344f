"""A Chromium of the tests' own, driven over `--remote-debugging-pipe`: the tests' side only, never the product's."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

Message = dict[str, Any]

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,900",
    "--lang=en-US",
    "--enable-unsafe-extension-debugging",
    "--remote-debugging-pipe",
)
DEADLINE = 60.0


class CdpError(Exception):
    """Chromium answered a command with an error; `code` and `message` are Chromium's."""

    def __init__(self, method: str, error: Message) -> None:
        super().__init__(f"{method}: {error.get('message')}")
        self.code = error.get("code")


class Connection:
    """One pipe to a browser: commands are answered in any order, events go to whoever waits for them."""

    def __init__(self, reader: int, writer: int) -> None:
        self._writer = writer
        self._reader = reader
        self._lock = threading.Lock()
        self._next = 0
        self._answers: dict[int, queue.SimpleQueue[Message]] = {}
        self._events: list[Message] = []
        self._arrived = threading.Condition()
        self._closed = False
        threading.Thread(target=self._read, daemon=True).start()

    def send(
        self, method: str, params: Message | None = None, session: str | None = None, deadline: float = DEADLINE
    ) -> Message:
        """Run one command and return its result; `TimeoutError` after `deadline` seconds."""
        return self.begin(method, params, session)(deadline)

    def begin(
        self, method: str, params: Message | None = None, session: str | None = None
    ) -> Callable[[float], Message]:
        """Send a command and return the function that waits for its result, for commands that a dialog holds up."""
        answer: queue.SimpleQueue[Message] = queue.SimpleQueue()
        with self._lock:
            self._next += 1
            number = self._next
            self._answers[number] = answer
            message: Message = {"id": number, "method": method, "params": params or {}}
            if session:
                message["sessionId"] = session
            os.write(self._writer, json.dumps(message).encode() + b"\0")

        def wait(deadline: float = DEADLINE) -> Message:
            try:
                reply = answer.get(timeout=deadline)
            except queue.Empty:
                raise TimeoutError(f"{method} was not answered within {deadline} s") from None
            if "error" in reply:
                raise CdpError(method, reply["error"])
            return reply["result"]

        return wait

    def wait_for(
        self, event: str, /, session: str | None = None, deadline: float = DEADLINE, **expected: Any
    ) -> Message:
        """Return the params of the next `event` (of `session`) whose params hold `expected`; it is consumed."""
        end = time.monotonic() + deadline
        with self._arrived:
            while True:
                for message in self._events:
                    params = message.get("params", {})
                    if message["method"] != event or (session and message.get("sessionId") != session):
                        continue
                    if all(params.get(key) == value for key, value in expected.items()):
                        self._events.remove(message)
                        return params
                left = end - time.monotonic()
                if left <= 0 or self._closed or not self._arrived.wait(left):
                    raise TimeoutError(f"no {event} within {deadline} s")

    def close(self) -> None:
        """Close our ends of the pipes."""
        for descriptor in (self._writer, self._reader):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _read(self) -> None:
        buffer = b""
        while True:
            try:
                data = os.read(self._reader, 1 << 20)
            except OSError:
                data = b""
            if not data:
                break
            *messages, buffer = (buffer + data).split(b"\0")
            for message in messages:
                self._deliver(json.loads(message))
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()
        for answer in list(self._answers.values()):
            answer.put({"error": {"message": "the browser closed the pipe"}})

    def _deliver(self, message: Message) -> None:
        if "id" in message:
            answer = self._answers.pop(message["id"], None)
            if answer is not None:
                answer.put(message)
            return
        with self._arrived:
            self._events.append(message)
            del self._events[:-2000]
            self._arrived.notify_all()


class Chromium:
    """A headless Chromium with a profile of its own, ended with the test session."""

    def __init__(self, process: subprocess.Popen[bytes], connection: Connection, profile: Path) -> None:
        self.process = process
        self.connection = connection
        self.profile = profile

    def load_extension(self, folder: Path) -> str:
        """Load an unpacked extension; its id."""
        return self.connection.send("Extensions.loadUnpacked", {"path": str(folder)})["id"]

    def attach(self, kind: str, address: str, deadline: float = DEADLINE) -> Target:
        """Attach to the first target of `kind` (`page`, `service_worker`) whose address starts with `address`."""
        self.connection.send("Target.setDiscoverTargets", {"discover": True})
        end = time.monotonic() + deadline
        while True:
            for info in self.connection.send("Target.getTargets")["targetInfos"]:
                if info["type"] == kind and info["url"].startswith(address):
                    return self._target(info["targetId"])
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no {kind} at {address} within {deadline} s")
            with contextlib.suppress(TimeoutError):
                self.connection.wait_for("Target.targetCreated", deadline=min(left, 0.2))

    def open(self, address: str = "about:blank") -> Target:
        """Open a tab and attach to it."""
        return self._target(self.connection.send("Target.createTarget", {"url": address})["targetId"])

    def _target(self, identity: str) -> Target:
        params = {"targetId": identity, "flatten": True}
        return Target(self.connection, identity, self.connection.send("Target.attachToTarget", params)["sessionId"])


class Target:
    """One tab or worker, attached."""

    def __init__(self, connection: Connection, identity: str, session: str) -> None:
        self.connection = connection
        self.identity = identity
        self.session = session

    def send(self, method: str, params: Message | None = None, deadline: float = DEADLINE) -> Message:
        """Run one command in the target."""
        return self.connection.send(method, params, self.session, deadline)

    def evaluate(self, expression: str, deadline: float = DEADLINE) -> Any:
        """The value of a JavaScript expression in the target's own world; promises are awaited."""
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": True}
        answer = self.send("Runtime.evaluate", params, deadline)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait_until(self, condition: str, deadline: float = DEADLINE) -> None:
        """Wait until a JavaScript expression holds in the target."""
        end = time.monotonic() + deadline
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition} did not come true within {deadline} s")
            # Not in the target: a worker that has not begun has no timers yet.
            time.sleep(0.01)

    def navigate(self, address: str, deadline: float = DEADLINE) -> None:
        """Load `address` and wait for its load event."""
        self.send("Page.enable")
        self.send("Page.setLifecycleEventsEnabled", {"enabled": True})
        loader = self.send("Page.navigate", {"url": address}, deadline).get("loaderId")
        self.connection.wait_for("Page.lifecycleEvent", self.session, deadline, name="load", loaderId=loader)

    def close(self) -> None:
        """Close the tab."""
        self.connection.send("Target.closeTarget", {"targetId": self.identity})


def executable() -> str | None:
    """The path of an installed Chromium, None without one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


@contextlib.contextmanager
def launched(*flags: str) -> Generator[Chromium, None, None]:
    """Run a Chromium for the length of the block."""
    path = executable()
    if path is None:
        raise FileNotFoundError("no Chromium on PATH: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="freehold-chromium-", ignore_cleanup_errors=True) as folder:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        process = _start([path, *FLAGS, *flags, f"--user-data-dir={folder}", "about:blank"], theirs_in, theirs_out)
        connection = Connection(ours_in, ours_out)
        try:
            yield Chromium(process, connection, Path(folder))
        finally:
            _stop(process, connection)


def _start(command: list[str], reads: int, writes: int) -> subprocess.Popen[bytes]:
    # Chromium reads commands from descriptor 3 and writes answers to 4, whatever their numbers are here.
    def place() -> None:
        high_reads, high_writes = os.dup(reads), os.dup(writes)
        os.dup2(high_reads, 3)
        os.dup2(high_writes, 4)

    process = subprocess.Popen(
        command,
        preexec_fn=place,  # noqa: PLW1509 - the child only moves two descriptors
        pass_fds=(3, 4),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(reads)
    os.close(writes)
    return process


def _stop(process: subprocess.Popen[bytes], connection: Connection) -> None:
    with contextlib.suppress(Exception):
        connection.send("Browser.close", deadline=3)
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(5)
    connection.close()
