"""How the user's own shell starts the command that is running."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path


def own_command() -> str:
    """Return `freehold`, or its whole path where the user's shell would not find it.

    A virtual environment may be on the path of this process alone, as it is under `scripts/try`; then the command is
    given with its whole path.
    """
    beside = Path(sys.prefix) / "bin" / "freehold"
    found = shutil.which("freehold")
    in_environment = sys.prefix != sys.base_prefix and (found is None or Path(found) == beside)
    return shlex.quote(str(beside)) if in_environment and beside.exists() else "freehold"
