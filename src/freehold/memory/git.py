"""Git, asked about a repository that nobody vouches for."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from freehold.errors import UnavailableError

DEADLINE = 5.0

# A repository's own configuration may name programs: a file system monitor, hooks, a transport for a promised object.
_HARMLESS = (
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "protocol.allow=never"),
)


class GitRefusedError(Exception):
    """Git answered that it will not or cannot; the message is its own, in English."""


def ask(folder: Path, *arguments: str) -> str:
    """Return what `git ARGUMENTS` prints in `folder`, less its last line end.

    Raises `GitRefusedError` where git says no, `UnavailableError` (`git_failed`) where it is missing or takes more
    than five seconds.
    """
    program = program_path()
    try:
        done = subprocess.run(
            [program, *_HARMLESS, *arguments],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=DEADLINE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError("git_failed", f"{program} in {folder}: {error}. Try again.") from error
    if done.returncode != 0:
        raise GitRefusedError(os.fsdecode(done.stderr).strip())
    return os.fsdecode(done.stdout).removesuffix("\n")


def program_path() -> str:
    """Return the path of git; raise `UnavailableError` (`git_failed`) where it is missing."""
    # A relative entry of PATH would let a repository bring its own git.
    safe = os.pathsep.join(entry for entry in os.get_exec_path() if Path(entry).is_absolute())
    program = shutil.which("git", path=safe)
    if program is None:
        message = "git is not on PATH, and what was asked for needs it. Install git, then try again."
        raise UnavailableError("git_failed", message)
    return program


def _environment() -> dict[str, str]:
    # GIT_DIR and its kin, which a hook or an outer git exports, would name another repository than the folder's.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
