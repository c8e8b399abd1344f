"""The command in a process of its own, as a user with a home of their own starts it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.command import COMMAND, run
from tests.unit.browser import machines


class Shell:
    """A user with a home of their own and a Chromium that is only a name."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.home = base / "freehold"
        self.folder = base / "project"
        self.folder.mkdir()
        machines.program(base / "bin/chromium")
        inherited = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
        self.environment = {
            **inherited,
            "HOME": str(base),
            "XDG_CONFIG_HOME": str(base / "config"),
            "FREEHOLD_HOME": str(self.home),
            "PATH": f"{base / 'bin'}:/usr/bin:/bin",
        }

    def __call__(self, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return run([COMMAND, *words], folder=self.folder, environment=self.environment, text=text)
