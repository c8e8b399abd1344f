"""A lock between processes, which one that dies gives up."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from freehold.errors import UnavailableError


@contextmanager
def held(file: Path, *, seconds: float) -> Generator[None]:
    """Hold the lock `file`, waiting for it at most `seconds`; raise `UnavailableError` (`store_busy`) after that."""
    import filelock  # noqa: PLC0415 - takes 0.018 s to import, which a search without anything to write need not pay

    lock = filelock.FileLock(file, timeout=seconds, poll_interval=0.01, mode=0o600)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        message = f"Another process has held {file} for {seconds:g} s. Try again."
        raise UnavailableError("store_busy", message, {"path": str(file.parent)}) from error
    try:
        yield
    finally:
        lock.release()
