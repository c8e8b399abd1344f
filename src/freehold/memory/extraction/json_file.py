"""A small record of the extraction on the disk: written whole or not at all, empty where it is missing or damaged."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import filelock
import msgspec

from freehold.errors import DeniedError, UnavailableError
from freehold.memory import files

T = TypeVar("T")

_LARGEST = 5_000_000


def load(file: Path, kind: type[T]) -> T | None:
    """Return what stands in `file`, None where it is missing, damaged or no plain file."""
    try:
        data = files.read(file, _LARGEST)
        return None if data is None else msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, DeniedError):
        return None


def save(file: Path, record: Any) -> None:
    """Write `record`; it lasts through a loss of power. Raises `UnavailableError` as a store's write does."""
    with files.named_errors(file.parent):
        files.plain_folder(file.parent)
        scratch = file.with_name(f"{files.SCRATCH}{os.getpid()}-{os.urandom(6).hex()}")
        try:
            descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(msgspec.json.encode(record))
                stream.flush()
                os.fsync(stream.fileno())
            scratch.replace(file)
        finally:
            scratch.unlink(missing_ok=True)
        files.sync_folder(file.parent)


@contextmanager
def changing(file: Path, seconds: float = 5.0) -> Generator[None]:
    """Hold the lock for reading and then writing `file`; raise `UnavailableError` (`store_busy`) after `seconds`."""
    with files.named_errors(file.parent):
        files.plain_folder(file.parent)
        lock = filelock.FileLock(file.with_suffix(".lock"), timeout=seconds, poll_interval=0.01, mode=0o600)
        try:
            lock.acquire()
        except filelock.Timeout as error:
            message = f"Another process has held {lock.lock_file} for {seconds:g} s. Try again."
            raise UnavailableError("store_busy", message) from error
        try:
            yield
        finally:
            lock.release()


def listed(folder: Path) -> list[Path]:
    """Return the records in `folder`, by name; empty where there is no folder."""
    try:
        return sorted(file for file in folder.iterdir() if file.suffix == ".json" and not file.name.startswith("."))
    except FileNotFoundError:
        return []
