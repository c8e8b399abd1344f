"""Pi in a terminal, in a tmux of its own: keys in, the screen out."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

DEADLINE = 60.0


class Tui:
    """A terminal of 120 columns and 40 lines."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    @classmethod
    @contextmanager
    def started(cls, command: list[str], folder: Path, environment: Mapping[str, str]) -> Generator[Self]:
        # A short path: a socket's may have 107 bytes.
        with tempfile.TemporaryDirectory(prefix="fh-", ignore_cleanup_errors=True) as place:
            tui = cls(Path(place) / "t")
            tui._tmux(
                "-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", "-c", str(folder),
                "env", "-i", *(f"{name}={value}" for name, value in environment.items()),
                "sh", "-c", shlex.join(command),
            )  # fmt: skip
            try:
                yield tui
            finally:
                tui._tmux("kill-server", check=False)

    def type(self, text: str) -> None:
        """Type a line and send it."""
        self._tmux("send-keys", "-l", text)
        self.see(text.rsplit(maxsplit=1)[-1])
        self._tmux("send-keys", "Enter")

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names, such as Escape or C-c."""
        self._tmux("send-keys", *keys)

    def screen(self) -> str:
        """Return what stands on the screen."""
        return self._tmux("capture-pane", "-p", "-S", "-200")

    def see(self, part: str) -> str:
        """Return the screen once `part` stands on it."""
        return self._until(lambda: part in self.screen(), part)

    def ended(self) -> None:
        """Wait until Pi has ended, and the terminal with it."""
        deadline = time.monotonic() + DEADLINE
        while self._tmux("has-session", check=False, code=True) == "0":
            assert time.monotonic() < deadline, self.screen()
            time.sleep(0.05)

    def _until(self, holds: object, part: str) -> str:
        deadline = time.monotonic() + DEADLINE
        while True:
            screen = self.screen()
            if part in screen:
                return screen
            assert time.monotonic() < deadline, f"{part!r} does not appear:\n{screen}"
            time.sleep(0.05)

    def _tmux(self, *words: str, check: bool = True, code: bool = False) -> str:
        program = shutil.which("tmux")
        assert program, "tmux is missing; scripts/test installs it"
        done = subprocess.run(
            [program, "-S", str(self._socket), *words], capture_output=True, text=True, timeout=30, check=check
        )
        return str(done.returncode) if code else done.stdout
