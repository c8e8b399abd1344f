"""Somebody at a shell, with a home of their own."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.command import COMMAND, run


class Shell:
    """One user of one machine; `folder` is where they are."""

    def __init__(self, home: Path, name: str) -> None:
        self.home = home
        self.folder = home
        home.mkdir(parents=True, exist_ok=True)
        kept = {key: os.environ[key] for key in ("LANG", "LC_ALL", "PATH") if key in os.environ}
        self.environment = {
            **kept,
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "FREEHOLD_HOME": str(home / "freehold"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.git("config", "--global", "user.name", name)
        self.git("config", "--global", "user.email", f"{name}@example.org")

    def __call__(self, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return self.run([str(COMMAND), *words], text)

    def memory(self, *words: str, text: str = "", code: int = 0) -> str:
        """Run `freehold memory WORDS`, see that it ends with `code`, and return what it says."""
        done = self("memory", *words, text=text)
        assert done.returncode == code, done.stderr or done.stdout
        return done.stdout

    def data(self, *words: str, text: str = "", code: int = 0) -> Any:
        return json.loads(self.memory(*words, "--json", text=text, code=code))

    def git(self, *words: str) -> str:
        done = self.run(["git", *words])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
        return run(command, folder=self.folder, environment=self.environment, text=text)

    def repository(self, name: str) -> Path:
        """Make a repository with one commit and go there."""
        self.folder = self.home / name
        self.folder.mkdir()
        self.git("init", "--quiet")
        (self.folder / "app.py").write_text("print('hello')\n")
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "Begin")
        return self.folder
