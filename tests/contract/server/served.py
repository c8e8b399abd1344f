"""`freehold serve` as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.command import COMMAND

_ADDRESS = re.compile(r"http://\S+:\d+")
_END = 30


@dataclass(slots=True)
class Served:
    """A running server. `log`: the file of its standard error."""

    process: subprocess.Popen[str]
    address: str
    log: Path

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(_END)


def options(database: Path | str) -> list[str]:
    """Return what names `database` on the command line."""
    return ["--data", str(database)] if isinstance(database, Path) else ["--database", database]


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a user whose folder is `home`."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(home), "FREEHOLD_HOME": str(home / "freehold")}


@contextmanager
def served(
    database: Path | str, home: Path, *more: str, port: int = 0, env: Mapping[str, str] | None = None
) -> Generator[Served]:
    """Yield a server at a free port; it is killed in the end where it still runs."""
    home.mkdir(parents=True, exist_ok=True)
    log = home / "serve.log"
    with log.open("a") as errors:
        process = subprocess.Popen(
            [COMMAND, "serve", "--port", str(port), *options(database), *more],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=env or environment(home),
            cwd=home,
        )
    assert process.stdout is not None
    with process.stdout:
        try:
            line = process.stdout.readline()
            found = _ADDRESS.search(line)
            assert found, f"{line} {log.read_text()}"
            yield Served(process, found[0], log)
        finally:
            process.kill()
            process.wait(_END)
