"""The pairing key: 32 random bytes that only this user can read, the root of every connection's keys."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from freehold.errors import DeniedError, UnavailableError

KEY_BYTES = 32


def make(file: Path) -> bytes:
    """Return the key in `file`, made first when there is none; raise as `read` does where one is there but not sound.

    The folder must exist. Two processes that make it at once end with the same key.
    """
    scratch = file.with_name(f"{file.name}.{os.getpid()}.{os.urandom(8).hex()}")
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(os.urandom(KEY_BYTES))
            stream.flush()
            os.fsync(stream.fileno())
        # A link appears whole or not at all and, unlike a rename, never replaces a key that is already paired.
        os.link(scratch, file)
    except FileExistsError:
        pass
    finally:
        scratch.unlink()
    return read(file)


def read(file: Path) -> bytes:
    """Return the key.

    Raises `UnavailableError` (`setup_missing`) when there is none, `DeniedError` (`permissions_unsafe`) when another
    user owns or may touch it or it is not a plain file of 32 bytes.
    """
    try:
        # O_NONBLOCK so that a pipe put in the key's place cannot make us wait.
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        message = f"There is no pairing key at {file}. Run `freehold setup`."
        raise UnavailableError("setup_missing", message) from error
    except OSError as error:
        raise _unsafe(file, f"cannot be opened ({error.strerror})") from error
    try:
        _check(file, os.fstat(descriptor))
        return os.read(descriptor, KEY_BYTES)
    finally:
        os.close(descriptor)


def _check(file: Path, facts: os.stat_result) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise _unsafe(file, "is not a plain file")
    if facts.st_uid != os.geteuid():
        raise _unsafe(file, f"belongs to user {facts.st_uid}")
    if facts.st_mode & 0o077:
        raise _unsafe(file, f"has mode {stat.S_IMODE(facts.st_mode):04o}; only 0600 keeps it from other users")
    if facts.st_size != KEY_BYTES:
        raise _unsafe(file, f"has {facts.st_size} bytes instead of {KEY_BYTES}")


def _unsafe(file: Path, what: str) -> DeniedError:
    message = f"The pairing key {file} {what}. Remove it and run `freehold setup`, then restart the browser."
    return DeniedError("permissions_unsafe", message, {"path": str(file)})
