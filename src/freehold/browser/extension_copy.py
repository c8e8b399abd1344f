"""The user's copy of the extension: a folder whose place an upgrade keeps, because Chrome remembers it by its path."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from freehold.errors import UsageError

_MANIFEST = "manifest.json"


def content(source: Path) -> dict[str, bytes]:
    """Return the files of a copy of `source`, by their path within it.

    The manifest of a copy also has a `version_name`: Chrome shows it on its extensions page, and the running extension
    can tell with it which build it is.
    """
    found = {name: (source / name).read_bytes() for name in _names(source)}
    manifest: dict[str, Any] = msgspec.json.decode(found[_MANIFEST])
    manifest["version_name"] = f"{manifest['version']} ({_digest(found)[:12]})"
    found[_MANIFEST] = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    return found


def build(folder: Path) -> str:
    """Return the `version_name` of the extension in `folder`, or an empty string when there is none."""
    try:
        return str(msgspec.json.decode((folder / _MANIFEST).read_bytes()).get("version_name", ""))
    except (OSError, msgspec.DecodeError, AttributeError):
        return ""


def current(source: Path, folder: Path) -> bool:
    """Tell whether `folder` holds just what a copy of `source` would."""
    wanted = content(source)
    return set(_names(folder)) == set(wanted) and all(
        (folder / name).read_bytes() == data for name, data in wanted.items()
    )


def ours(source: Path, folder: Path) -> bool:
    """Tell whether `folder` holds our extension, of any version: one with the key of `source`."""
    return _key(folder) == _key(source) != ""


def copy(source: Path, folder: Path) -> bool:
    """Make `folder` a copy of `source`, in one step; return False when it already was.

    Raises `UsageError` (`invalid_argument`) when the folder holds something that is not ours.
    """
    if folder.exists() and not ours(source, folder) and any(folder.iterdir()):
        message = f"{folder} holds files that are not Freehold's. Move them away and run: freehold setup"
        raise UsageError("invalid_argument", message, {"path": str(folder)})
    if folder.exists() and current(source, folder):
        return False
    fresh = Path(tempfile.mkdtemp(prefix=".extension.", dir=folder.parent))
    try:
        _write(content(source), fresh / "new")
        _swap(fresh / "new", folder, fresh / "old")
    finally:
        shutil.rmtree(fresh)
    return True


def remove(source: Path, folder: Path) -> bool:
    """Remove the copy; files that are not ours stay. Return False when there was no copy of ours."""
    if not ours(source, folder):
        return False
    for name in _names(source):
        (folder / name).unlink(missing_ok=True)
    for parent, _, _ in os.walk(folder, topdown=False):
        if not any(Path(parent).iterdir()):
            Path(parent).rmdir()
    return True


def _names(folder: Path) -> list[str]:
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(str(name) for name in names if not any(part.startswith((".", "node_modules")) for part in name.parts))


def _digest(found: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in found.items():
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def _key(folder: Path) -> str:
    try:
        return str(msgspec.json.decode((folder / _MANIFEST).read_bytes()).get("key", ""))
    except (OSError, msgspec.DecodeError, AttributeError):
        return ""


def _write(found: dict[str, bytes], folder: Path) -> None:
    for name, data in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def _swap(new: Path, folder: Path, old: Path) -> None:
    """Put `new` in the place of `folder`, which steps aside first: no folder can be renamed over a full one."""
    if not folder.exists():
        new.rename(folder)
        return
    folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        old.rename(folder)
        raise
