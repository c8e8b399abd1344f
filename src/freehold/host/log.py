"""The host's log: one line an error, so that `freehold doctor` can tell what happened while nobody watched."""

from __future__ import annotations

import os
import time
from pathlib import Path

from freehold.errors import FreeholdError

LIMIT = 64 * 1024
NAME = "host.log"


def append(run_folder: Path, error: FreeholdError) -> None:
    """Add time, pid, code and message of `error`; beyond 64 KiB the log starts anew.

    Only errors of the bridge itself come here: they name files, numbers and codes, never a key or a page's text.
    """
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    line = f"{stamp} {os.getpid()} {error.code} {error.message}"[:500].replace("\n", " ")
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(run_folder / NAME, flags, 0o600)
    except OSError:
        return  # A folder that cannot be written to is told to the extension and the agents instead.
    with os.fdopen(descriptor, "ab") as stream:
        if os.fstat(stream.fileno()).st_size > LIMIT:
            stream.truncate(0)
        stream.write(line.encode("utf-8", "backslashreplace") + b"\n")
