"""Freehold's package in Pi: installed by Pi's own command, and the command of this Python recorded for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import msgspec

from freehold import paths
from freehold.app.pi import settings as pi_settings
from freehold.app.pi.program import PiProgram
from freehold.errors import UnavailableError

WORKER = ("-I", "-m", "freehold.surfaces.pi")
_NAMES = frozenset({"freehold", "freehold-pi"})


@dataclass(frozen=True, slots=True)
class Change:
    """One thing and what became of it: "made", "kept", "removed" or "missing"; `note` says why."""

    what: str
    path: str
    state: str
    note: str = ""


def install(program: PiProgram, project: Path | None = None) -> list[Change]:
    """Install the package for the user, or in `project` alone, and record how its worker is started.

    Where Pi has Freehold's package from elsewhere, only the command is recorded: two of one name would be in each
    other's way. Raises `UnavailableError` (`pi_failed`), `UsageError` for settings that cannot be read.
    """
    settings = pi_settings.load()
    source = paths.pi_package_source()
    others = [place for place in installed(project) if _folder(place) != source.resolve()]
    if others:
        change = Change("package", others[0], "kept", "Pi has Freehold's package from there.")
    else:
        state = "kept" if installed(project) else "made"
        program.run("install", *_where(project), str(source), folder=project)
        change = Change("package", str(source), state)
    command = worker_command()
    state = "kept" if settings.command == command else "made"
    file = pi_settings.save(msgspec.structs.replace(settings, command=command))
    return [change, Change("command of the worker", str(file), state)]


def remove(program: PiProgram, project: Path | None = None) -> list[Change]:
    """Undo `install`; the settings stay, but for the command. Raises as `install` does."""
    settings = pi_settings.load()
    source = paths.pi_package_source()
    there = any(_folder(place) == source.resolve() for place in installed(project))
    if there:
        program.run("remove", *_where(project), str(source), folder=project)
    changes = [Change("package", str(source), "removed" if there else "missing")]
    if settings.command:
        file = pi_settings.save(msgspec.structs.replace(settings, command=()))
        changes.append(Change("command of the worker", str(file), "removed"))
    return changes


def worker_command() -> tuple[str, ...]:
    """Return what starts the worker of this very Python, wherever Pi is started."""
    return (sys.executable, *WORKER)


def installed(project: Path | None = None) -> list[str]:
    """Return where Pi has Freehold's package from: a path, or a source such as `git:…`.

    Looked up in the user's settings, or in those of `project`.
    """
    home = project / ".pi" if project else paths.agent_folder()
    return [place for source in _sources(home / "settings.json") if (place := _ours(source, home))]


def version(place: str) -> str:
    """Return the version of the package at `place`, a folder; an empty text where that cannot be known."""
    folder = Path(place)
    told = _told(folder / "pi") or _told(folder)
    return str(told.get("version", "")) if place.startswith("/") else ""


def _told(folder: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode((folder / "package.json").read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError):
        return {}


def _where(project: Path | None) -> tuple[str, ...]:
    return ("-l",) if project else ()


def _sources(file: Path) -> Iterator[str]:
    try:
        settings = msgspec.json.decode(file.read_bytes())
    except FileNotFoundError:
        return
    except (OSError, msgspec.DecodeError) as error:
        raise UnavailableError("pi_failed", f"Pi's settings {file} cannot be read: {error}") from error
    known = cast("dict[str, Any]", settings) if isinstance(settings, dict) else {}
    for entry in cast("list[Any]", known.get("packages") or []):
        source = cast("dict[str, Any]", entry).get("source") if isinstance(entry, dict) else entry
        if isinstance(source, str):
            yield source


def _ours(source: str, home: Path) -> str:
    """Return where `source` leads if that is Freehold's package, else an empty text."""
    kind, _, rest = source.partition(":")
    if kind in {"npm", "git", "http", "https", "ssh"}:
        last = rest.rstrip("/").rsplit("/", 1)[-1].partition("@")[0].removesuffix(".git")
        return source if last in _NAMES else ""
    folder = (home / Path(source).expanduser()).resolve()
    return str(folder) if _told(folder).get("name") in _NAMES else ""


def _folder(place: str) -> Path | None:
    return Path(place).resolve() if place.startswith("/") else None
