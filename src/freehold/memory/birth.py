"""What tells a folder from one that was made later in its place: a file system gives an inode number out again."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path
from typing import Any

_AT_FDCWD = -100
_STATX_BTIME = 0x800
# struct statx of linux/stat.h: the mask, and the birth time at byte 80 as seconds and nanoseconds.
_STATX_BYTES, _BIRTH_AT = 256, 80


def birth_of(path: Path) -> int:
    """Return when `path` was made, in nanoseconds since 1970, or 0 where the file system does not say."""
    if sys.platform == "darwin":
        return int(path.stat().st_birthtime * 1_000_000_000)
    if _STATX is None:
        return 0
    buffer = ctypes.create_string_buffer(_STATX_BYTES)
    if _STATX(_AT_FDCWD, os.fsencode(path), 0, ctypes.c_uint(_STATX_BTIME), buffer) != 0:
        return 0
    (mask,) = struct.unpack_from("=I", buffer, 0)
    seconds, nanoseconds = struct.unpack_from("=qI", buffer, _BIRTH_AT)
    return int(seconds) * 1_000_000_000 + int(nanoseconds) if mask & _STATX_BTIME else 0


def _system_call() -> Any:
    """Return the C library's `statx`, or None: `os.stat` says no birth time on Linux."""
    try:
        return ctypes.CDLL(None).statx
    except (OSError, AttributeError):
        return None


_STATX = _system_call()
