"""The worker's log: what happened while nobody watched, a line each. Codes, counts and files; no text of anyone's."""

from __future__ import annotations

import logging
from pathlib import Path

from freehold import paths

LIMIT = 256 * 1024
NAME = "pi-worker.log"


def file(base: Path | None = None) -> Path:
    """Return the log's file; `base` stands in for `paths.home()`."""
    return (base or paths.home()) / NAME


def begin(base: Path | None = None) -> None:
    """Send the log of this process to the file, anew beyond 256 KiB; nowhere where it cannot be written."""
    place = file(base)
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = place.exists() and place.stat().st_size > LIMIT
        handler = logging.FileHandler(place, mode="w" if fresh else "a", encoding="utf-8", errors="backslashreplace")
        place.chmod(0o600)
    except OSError:
        logging.getLogger("freehold").addHandler(logging.NullHandler())
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger("freehold")
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    root.propagate = False
