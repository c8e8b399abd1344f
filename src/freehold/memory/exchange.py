"""Two files swap their names in one step: what a plain rename would destroy unseen is then in our hands."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path
from typing import Any

_AT_FDCWD = -100 if sys.platform != "darwin" else -2
_SWAP = 2  # RENAME_EXCHANGE in linux/fs.h, RENAME_SWAP in macOS' sys/stdio.h
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}


def exchange(one: Path, other: Path) -> bool:
    """Swap the names of two files; return False where the system or the file system cannot. Raises `OSError`."""
    if _RENAME is None:
        return False
    done = _RENAME(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), ctypes.c_uint(_SWAP))
    if done == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(other))


def _system_call() -> Any:
    """Return the C library's call, or None; Python itself offers no rename that swaps."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        return library["renameatx_np" if sys.platform == "darwin" else "renameat2"]
    except (OSError, AttributeError):
        return None


_RENAME = _system_call()
