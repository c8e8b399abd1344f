"""The command as its user starts it: in a process of its own, with an environment and a folder of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

COMMAND = Path(sys.executable).parent / "freehold"


def run(
    command: Sequence[str | Path], *, folder: Path, environment: Mapping[str, str], text: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, `text` on its standard input."""
    return subprocess.run(
        command, input=text, cwd=folder, env=environment, capture_output=True, text=True, timeout=90, check=False
    )
