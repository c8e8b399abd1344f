"""Files of a store: read without following links, written whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from freehold.errors import DeniedError, FreeholdError, UnavailableError
from freehold.memory.exchange import exchange

# What recall indexes of one file; a topic beyond it is no note.
MAX_BYTES = 1_000_000
SCRATCH = ".tmp-"
SWAP = ".swap-"

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ChangedError(Exception):
    """Another program wrote the file meanwhile; its version stands."""


def read(file: Path, limit: int = -1) -> bytes | None:
    """Return what is in `file`, at most `limit` bytes of it, or None where there is none.

    Raises `DeniedError` (`path_outside_store`) for a link and whatever else is not a plain file.
    """
    try:
        # O_NONBLOCK so that a pipe put in a topic's place cannot make us wait.
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.ENXIO}:
            raise
        raise _not_plain(file) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _not_plain(file)
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(limit)


class Draft:
    """The coming content of `file`, already on the disk beside it; `create` or `replace` puts it in its place."""

    def __init__(self, file: Path, data: bytes) -> None:
        self.file = file
        self.data = data
        self._scratch = file.with_name(f"{SCRATCH}{os.getpid()}-{os.urandom(6).hex()}")
        try:
            self._write()
        except BaseException:
            self.discard()
            raise

    def create(self) -> None:
        """Put the content where no file is; raise `ChangedError` where one has come."""
        try:
            try:
                # A link appears whole or not at all and, unlike a rename, never replaces what has come meanwhile.
                os.link(self._scratch, self.file)
            except FileExistsError as error:
                raise ChangedError(str(self.file)) from error
            except OSError as error:
                if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}:
                    raise
                self._rename_where_none_is()
        finally:
            self.discard()
        sync_folder(self.file.parent)

    def replace(self, was: bytes, *, swap: Callable[[Path, Path], bool] = exchange) -> None:
        """Put the content in the place of `was`; raise `ChangedError` where the file says something else by now.

        `swap` exchanges two files, or returns False where it cannot: a rename must do there, and the moment between
        the look and the rename stays uncovered.
        """
        try:
            if read(self.file) != was:
                raise ChangedError(str(self.file))
            self._scratch.chmod(stat.S_IMODE(self.file.stat().st_mode))
            self._name_for_recovery(was)
            if not swap(self._scratch, self.file):
                self._scratch.replace(self.file)
            elif read(self._scratch) != was:
                # An editor came between the look and the swap: its version goes back to its place.
                swap(self._scratch, self.file)
                self._keep_what_came_in_between()
                raise ChangedError(str(self.file))
        except FileNotFoundError as error:
            raise ChangedError(str(self.file)) from error
        finally:
            self.discard()
        sync_folder(self.file.parent)

    def discard(self) -> None:
        """Take the draft away; nothing happens where it has been put in its place."""
        self._scratch.unlink(missing_ok=True)

    def _write(self) -> None:
        descriptor = os.open(self._scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(self.data)
            stream.flush()
            os.fsync(stream.fileno())

    def _name_for_recovery(self, was: bytes) -> None:
        """Say in the draft's name what is being swapped, so that `recovery` can tell what a kill left behind."""
        parts = (digest(os.fsencode(self.file.name)), digest(self.data), digest(was))
        named = self.file.with_name(f"{SWAP}{'-'.join(parts)}-{os.urandom(6).hex()}")
        self._scratch = self._scratch.rename(named)

    def _rename_where_none_is(self) -> None:
        if self.file.exists():
            raise ChangedError(str(self.file))
        self._scratch.rename(self.file)

    def _keep_what_came_in_between(self) -> None:
        if read(self._scratch) != self.data:
            self._scratch.replace(self.file.with_name(f"{self.file.stem}-{os.urandom(3).hex()}{self.file.suffix}"))


def digest(data: bytes) -> str:
    """Return the revision of a file that holds `data`: 16 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:16]


def sync_folder(folder: Path, *, fsync: Callable[[int], None] = os.fsync) -> None:
    """Make the names in `folder` last through a loss of power, as far as its file system can."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fsync(descriptor)
    except OSError as error:
        # Network and user-space file systems refuse it for folders; what was to last stands in its place by now.
        if error.errno not in {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}:
            raise
    finally:
        os.close(descriptor)


def plain_folder(folder: Path) -> None:
    """Make `folder`, readable to the user alone; raise `DeniedError` (`path_outside_store`) where it is a link."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.is_symlink():
        raise _not_plain(folder)


@contextmanager
def named_errors(store: Path) -> Generator[None]:
    """Give what the system refuses the code and the words of Freehold's errors."""
    try:
        yield
    except OSError as error:
        raise _named(store, error) from error


def _named(store: Path, error: OSError) -> FreeholdError:
    data = {"path": str(store)}
    if error.errno in _FULL:
        message = (
            f"The disk that holds {store} is full ({error.strerror}). Nothing was changed; make room, then try again."
        )
        return UnavailableError("disk_full", message, data)
    message = (
        f"{store} cannot be written to ({error.strerror}). Give yourself the right to write there, then try again."
    )
    return UnavailableError("store_read_only", message, data)


def _not_plain(path: Path) -> DeniedError:
    message = f"{path} is a link or no plain file, and a store keeps to its own folder. Put a file in its place."
    return DeniedError("path_outside_store", message, {"path": str(path)})
