"""The tools' declarations, kept between starts: to make them, every tool's file has to be imported (0.15 s)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from freehold import __version__, paths
from freehold.app.pi.settings import PiSettings
from freehold.browser import files

Declarations = list[dict[str, Any]]


class _Kept(msgspec.Struct, frozen=True):
    key: str
    tools: Declarations


def declarations(settings: PiSettings, *, cache: Path | None = None) -> Declarations:
    """Return what Pi registers, from the cache where nothing of Freehold has changed since it was written."""
    return kept(settings, _rendered, cache=cache)


def kept(
    settings: PiSettings, render: Callable[[PiSettings], Declarations], *, cache: Path | None = None
) -> Declarations:
    """Return what `render` made for these settings and this code, or makes now; `cache` is the folder for it."""
    place = (cache or paths.cache()) / "pi-declarations.json"
    key = _key(settings)
    with suppress(OSError, msgspec.DecodeError):
        found = msgspec.json.decode(place.read_bytes(), type=_Kept)
        if found.key == key:
            return found.tools
    made = render(settings)
    with suppress(OSError):  # what cannot be kept is made again the next time
        files.make_private(place.parent)
        files.write(place, msgspec.json.encode(_Kept(key, made)), 0o600)
    return made


def _rendered(settings: PiSettings) -> Declarations:
    from freehold.surfaces.pi import rendering  # noqa: PLC0415 - 0.15 s, see above

    return rendering.declarations(settings)


def _key(settings: PiSettings) -> str:
    package = Path(__file__).parents[2]
    parts = [__version__, str(package), *_stamps(package)]
    return hashlib.sha256(
        "\n".join(parts).encode("utf-8", "surrogateescape") + msgspec.json.encode(settings)
    ).hexdigest()


def _stamps(folder: Path) -> Iterator[str]:
    """Yield name, time and size of every source file: about 300 of them, looked at in 2 ms."""
    for entry in sorted(os.scandir(folder), key=lambda each: each.name):
        if entry.is_dir(follow_symlinks=False) and entry.name != "__pycache__":
            yield from _stamps(Path(entry.path))
        elif entry.name.endswith(".py"):
            facts = entry.stat()
            yield f"{entry.name} {facts.st_mtime_ns} {facts.st_size}"
