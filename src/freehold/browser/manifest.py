"""The two files by which a browser finds our native host: the manifest it reads and the launcher it starts."""

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from pathlib import Path

import msgspec

from freehold import paths
from freehold.bridge.endpoint import EXTENSION_ORIGIN, HOST_NAME
from freehold.browser import files

FILE_NAME = f"{HOST_NAME}.json"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """See https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host."""

    name: str
    description: str = ""
    path: str
    type: str = "stdio"
    allowed_origins: tuple[str, ...] = ()


class Owner(StrEnum):
    """Whose manifest stands under our name."""

    MISSING = "missing"
    OURS = "ours"
    OTHER_HOME = "another Freehold folder"
    FOREIGN = "another product"


def content(launcher: Path) -> bytes:
    """Return the manifest that names `launcher` and lets our extension alone start it."""
    manifest = Manifest(
        name=HOST_NAME,
        description="Freehold: connects your own agents to this browser",
        path=str(launcher),
        allowed_origins=(EXTENSION_ORIGIN,),
    )
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def read(file: Path) -> Manifest | None:
    """Return the manifest in `file`, or None when there is none or it is none."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError):
        return None


def owner(file: Path, launcher: Path) -> Owner:
    """Say whose manifest `file` is, seen from the Freehold whose launcher is `launcher`."""
    if not file.exists() and not file.is_symlink():
        return Owner.MISSING
    manifest = read(file)
    if manifest is None or manifest.name != HOST_NAME or set(manifest.allowed_origins) - {EXTENSION_ORIGIN}:
        return Owner.FOREIGN
    return Owner.OURS if manifest.path == str(launcher) else Owner.OTHER_HOME


def launcher_script(python: Path, home: Path) -> bytes:
    """Return the launcher: an absolute Python, isolated (`-I`) from the working folder and PYTHONPATH."""
    command = shlex.join([str(python), "-I", "-m", "freehold.host", "--home", str(home)])
    return f'#!/bin/sh\nexec {command} "$@"\n'.encode()


def launcher_python(launcher: Path) -> Path | None:
    """Return the Python that `launcher` starts, or None when it is not a launcher of ours."""
    try:
        words = shlex.split(launcher.read_text(encoding="utf-8"), comments=True)
    except (OSError, ValueError):
        return None
    return Path(words[1]) if words[:1] == ["exec"] and "freehold.host" in words else None


def write_launcher(home: Path) -> bool:
    """Write the launcher into `home`; return False when it already stood there like that."""
    files.make_private(home)
    return files.write(paths.launcher(home), launcher_script(Path(sys.executable).absolute(), home), 0o700)
