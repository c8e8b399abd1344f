"""Pi's own command: where it is, which version, and running it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from freehold.errors import UnavailableError

OLDEST = (1, 2, 0)
"""The first Pi whose extensions are told what Freehold's package needs."""

SECONDS = 120
GET_PI = "Install it with: npm install -g @earendil-works/pi-coding-agent"


@dataclass(frozen=True, slots=True)
class PiProgram:
    """Pi as it is installed: its command and its version."""

    file: Path
    version: str

    @property
    def new_enough(self) -> bool:
        """Whether Freehold's package works in it."""
        return tuple(int(part) for part in re.findall(r"\d+", self.version)[:3]) >= OLDEST

    def run(self, *words: str, folder: Path | None = None) -> str:
        """Run Pi with `words` in `folder` and return what it said; raise `UnavailableError` (`pi_failed`)."""
        return _run(self.file, words, folder)


def find() -> PiProgram:
    """Return Pi; raise `UnavailableError`: `pi_not_found`, or `pi_failed` where it does not start."""
    found = shutil.which("pi")
    if found is None:
        raise UnavailableError("pi_not_found", f"Pi is not on the PATH. {GET_PI}")
    file = Path(found)
    said = _run(file, ("--version",), None).split()
    return PiProgram(file, said[-1] if said else "0")


def find_usable() -> PiProgram:
    """Return Pi where Freehold's package works in it; raises as `find`, and `pi_not_found` for one that is too old."""
    program = find()
    if not program.new_enough:
        wanted = ".".join(map(str, OLDEST))
        message = f"Pi {program.version} at {program.file} is too old; Freehold needs {wanted} or newer. {GET_PI}"
        raise UnavailableError("pi_not_found", message, {"version": program.version})
    return program


def _run(file: Path, words: tuple[str, ...], folder: Path | None) -> str:
    # Nothing that is asked here needs a network, and Pi would look for updates.
    environment = os.environ | {"PI_OFFLINE": "1"}
    command = [str(file), *words]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError("pi_failed", f"pi {' '.join(words)} did not run: {error}") from error
    if done.returncode:
        reason = [line for line in done.stderr.strip().splitlines() if "Error" in line] or done.stderr.split("\n")
        message = f"pi {' '.join(words)} failed: {reason[0] or 'no reason given'}"
        if "not trusted" in message:
            message = f"Pi does not trust this project. Start pi in {folder}, trust it with /trust, then try again."
        raise UnavailableError("pi_failed", message, {"code": done.returncode})
    return done.stdout
