"""The user's editor: `VISUAL`, else `EDITOR`, else one of those that are nearly everywhere."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from freehold.errors import UsageError

_USUAL = ("sensible-editor", "nano", "vim", "vi")


def edit(file: Path) -> None:
    """Open `file` and wait until the editor is closed; raise `UsageError` (`invalid_argument`) when there is none."""
    command = [*_editor(), str(file)]
    try:
        # No deadline: a person is writing.
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        message = f"The editor {command[0]} cannot be started: {error.strerror}. Set EDITOR to one that can."
        raise UsageError("invalid_argument", message) from error
    if code:
        message = f"The editor {command[0]} ended with an error ({code}). What you wrote stands in {file}."
        raise UsageError("invalid_argument", message, {"path": str(file)})


def _editor() -> list[str]:
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if chosen and (words := shlex.split(chosen)):
        return words
    for name in _USUAL:
        if found := shutil.which(name):
            return [found]
    raise UsageError("invalid_argument", "No editor was found. Set EDITOR to the one that you use.")
