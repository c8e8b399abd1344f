"""Which processes run."""

from __future__ import annotations

import subprocess


def runs(pid: int) -> bool:
    """Tell whether a process runs; one that is dead and not yet collected does not."""
    said = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, timeout=20, check=False
    )
    return bool(said.stdout.strip()) and not said.stdout.strip().startswith("Z")
