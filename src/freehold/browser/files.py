"""Files written whole or not at all, and only when their content changes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def make_private(folder: Path) -> list[Path]:
    """Make `folder` and its missing parents, for this user alone; return those that were made, outermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()][::-1]
    for path in missing:
        path.mkdir(mode=0o700, exist_ok=True)
    return missing


def write(file: Path, content: bytes, mode: int) -> bool:
    """Make `file` hold `content` with `mode`, in one step; return False when it already did."""
    try:
        if file.read_bytes() == content and not file.is_symlink():
            unchanged = file.stat().st_mode & 0o777 == mode
            file.chmod(mode)
            return not unchanged
    except FileNotFoundError:
        pass
    descriptor, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            os.fchmod(stream.fileno(), mode)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return True
