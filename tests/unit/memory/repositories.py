"""Real repositories for the tests of identity."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

# Nothing of the machine's own Git settings, and a name for who commits.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
}


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, timeout=20)


def repository(folder: Path, *, commit: bool = True, content: str = "x") -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    if commit:
        (folder / "file.txt").write_text(content)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "first")
    return folder


def program(folder: Path, script: str) -> Path:
    """Put a `git` into `folder` that runs `script`; return the folder, for PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "git"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return folder
