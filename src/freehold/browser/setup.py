"""What `freehold setup` writes, and how it is undone to the last file."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from freehold import paths
from freehold.bridge import pairing
from freehold.browser import extension_copy, files, manifest
from freehold.browser.installed import Installed
from freehold.browser.manifest import Owner


class Record(msgspec.Struct):
    """What was written outside Freehold's own folder: manifests, and the folders made on the way, outermost first."""

    manifests: list[str] = []
    folders: list[str] = []


@dataclass(frozen=True, slots=True)
class Change:
    """One thing and what became of it.

    `state`: "made", "updated", "kept", "removed", "left" (it is not ours to touch) or "blocked" (something of another
    product is in the way, or the browser's sandbox is). `note` says why and what to do.
    """

    what: str
    path: str
    state: str
    note: str = ""


def install(home: Path, browsers: Iterable[Installed], source: Path) -> list[Change]:
    """Make the pairing key, launcher and copy of the extension in `home`, and a manifest for each browser.

    Running it again changes nothing. Raises `DeniedError` for a pairing key that others can read, `UsageError` when the
    extension's folder holds something else.
    """
    made = files.make_private(home)
    record = _read(home)
    record.folders += [str(folder) for folder in made]
    changes = [_key(home), _launcher(home), _extension(home, source)]
    for browser in browsers:
        changes += _register(browser, paths.launcher(home), record)
    files.write(paths.setup_record(home), msgspec.json.encode(record), 0o600)
    return changes


def remove(home: Path, browsers: Iterable[Installed], source: Path) -> list[Change]:
    """Undo `install`: remove what it wrote and nothing else. The browser profile, settings and notes stay."""
    record = _read(home)
    found = [str(folder / manifest.FILE_NAME) for browser in browsers for folder in browser.host_folders]
    launcher = paths.launcher(home)
    changes = [_unregister(Path(file), launcher) for file in dict.fromkeys([*record.manifests, *found])]
    changes += [
        _forget_extension(home, source),
        _forget("launcher", launcher),
        _forget("pairing key", paths.pairing_key(home)),
    ]
    changes += _left_profile(paths.profile(home))
    paths.setup_record(home).unlink(missing_ok=True)
    for folder in (paths.run_folder(home), home, *map(Path, reversed(record.folders))):
        with suppress(OSError):  # not empty, because the browser or somebody else uses it, or gone already
            folder.rmdir()
    return [change for change in changes if change.state != "missing"]


def manifests(home: Path, browsers: Iterable[Installed]) -> list[tuple[str, Path]]:
    """Return where manifests should stand, with their browsers' names; those of earlier set-ups included."""
    places = {folder / manifest.FILE_NAME: browser.name for browser in browsers for folder in browser.host_folders}
    for file in _read(home).manifests:
        places.setdefault(Path(file), str(Path(file).parent.parent))
    return [(name, file) for file, name in places.items()]


def _read(home: Path) -> Record:
    try:
        return msgspec.json.decode(paths.setup_record(home).read_bytes(), type=Record)
    except (FileNotFoundError, msgspec.DecodeError):
        return Record()


def _key(home: Path) -> Change:
    file = paths.pairing_key(home)
    state = "kept" if file.exists() else "made"
    pairing.make(file)
    return Change("pairing key", str(file), state)


def _launcher(home: Path) -> Change:
    file = paths.launcher(home)
    existed = file.exists()
    return Change("launcher", str(file), _state(existed, changed=manifest.write_launcher(home)))


def _extension(home: Path, source: Path) -> Change:
    folder = paths.extension(home)
    existed = folder.exists()
    state = _state(existed, changed=extension_copy.copy(source, folder))
    return Change("extension", str(folder), state, "Reload it in the browser." if state == "updated" else "")


def _state(existed: bool, *, changed: bool) -> str:
    if not existed:
        return "made"
    return "updated" if changed else "kept"


def _register(browser: Installed, launcher: Path, record: Record) -> list[Change]:
    if browser.confined:
        return [Change(browser.name, str(browser.executable or browser.user_data), "blocked", browser.advice)]
    return [
        _write_manifest(browser.name, folder / manifest.FILE_NAME, launcher, record) for folder in browser.host_folders
    ]


def _write_manifest(name: str, file: Path, launcher: Path, record: Record) -> Change:
    owner = manifest.owner(file, launcher)
    if owner is Owner.FOREIGN:
        note = "Another product's file has our name. Look at it, move it away and run: freehold setup"
        return Change(name, str(file), "blocked", note)
    previous = manifest.read(file)
    made = files.make_private(file.parent)
    changed = files.write(file, manifest.content(launcher), 0o600)
    record.folders += [str(folder) for folder in made]
    if str(file) not in record.manifests:
        record.manifests.append(str(file))
    note = f"It pointed to {previous.path}." if owner is Owner.OTHER_HOME and previous else ""
    return Change(name, str(file), _state(owner is not Owner.MISSING, changed=changed), note)


def _unregister(file: Path, launcher: Path) -> Change:
    owner = manifest.owner(file, launcher)
    if owner is Owner.OURS:
        return _forget("manifest", file)
    if owner is Owner.MISSING:
        return Change("manifest", str(file), "missing")
    return Change("manifest", str(file), "left", f"It belongs to {owner}.")


def _forget(what: str, file: Path) -> Change:
    existed = file.exists()
    file.unlink(missing_ok=True)
    return Change(what, str(file), "removed" if existed else "missing")


def _forget_extension(home: Path, source: Path) -> Change:
    folder = paths.extension(home)
    existed = folder.exists()
    removed = extension_copy.remove(source, folder)
    if removed and folder.exists():
        return Change("extension", str(folder), "removed", "Files in it that are not ours stay.")
    state = "removed" if removed else "left" if existed else "missing"
    return Change("extension", str(folder), state)


def _left_profile(profile: Path) -> list[Change]:
    if not profile.exists():
        return []
    note = "The profile of Freehold's own browser. Delete it yourself to forget its logins."
    return [Change("profile", str(profile), "left", note)]
