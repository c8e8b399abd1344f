"""Forgotten topics: they lie in `.trash/` until a person clears it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import msgspec

from freehold.errors import UsageError
from freehold.memory import files, index
from freehold.memory import name as names
from freehold.memory.files import ChangedError, Draft
from freehold.memory.folder import TRASH, Folder
from freehold.memory.index_edit import IndexEdit
from freehold.memory.saving import conflict
from freehold.memory.topic import Topic

_FILE = re.compile(r"(?P<name>.+)\.(?P<when>\d{8}T\d{6}Z)(?:-(?P<number>\d+))?\.md")


@dataclass(frozen=True, slots=True)
class Trashed:
    """A forgotten topic: `when` it was forgotten (ISO 8601, UTC), `path` where it lies."""

    name: str
    title: str
    when: str
    path: Path


class _Sidecar(msgspec.Struct):
    """The line that led to the topic: a person may have written it."""

    line: str = ""


def forget(folder: Folder, name: str, *, now: str, expected_revision: str | None = None) -> Path:
    """Move the topic to the trash and its line out of the index; return where it lies."""

    def without(text: str) -> tuple[str, str]:
        return index.without_topic(text, name)

    with folder.writing() as known, IndexEdit(folder, known, lambda text: without(text)[0]) as edit:
        topic = folder.topic(name) if name in known.topics else None
        if topic is None:
            raise unknown(name)
        if expected_revision is not None and expected_revision != topic.revision:
            raise conflict(topic, expected_revision, "forgetting it")
        trash = folder.path / TRASH
        files.plain_folder(trash)
        target = free(trash, name, re.sub(r"[-:]", "", now))
        line = without((folder.index() or b"").decode("utf-8", "surrogateescape"))[1]
        if line:
            Draft(target.with_suffix(".json"), msgspec.json.encode(_Sidecar(_told(line)))).create()
        (folder.path / f"{name}.md").rename(target)
        files.sync_folder(trash)
        files.sync_folder(folder.path)
        edit.apply()
        return target


def restore(folder: Folder, name: str) -> Topic:
    """Bring back the topic as it was last forgotten, with its line. Raises as `Store.restore` says."""
    with folder.writing() as known:
        lying = next((trashed for trashed in listed(folder) if trashed.name == name), None)
        if lying is None:
            message = f'The trash holds no topic "{name}". See what it holds: freehold memory restore'
            raise UsageError("unknown_topic", message, {"name": name})
        taken = next((other for other in known.topics if names.folded(other) == names.folded(name)), None)
        if taken is not None:
            raise _taken(name, taken)
        data = files.read(lying.path) or b""
        try:
            Draft(folder.path / f"{name}.md", data).create()
        except ChangedError as error:
            raise _taken(name, name) from error
        sidecar = lying.path.with_suffix(".json")
        line = _line(sidecar)
        lying.path.unlink()
        sidecar.unlink(missing_ok=True)
        topic = folder.topic(name)
        if topic is None:
            raise unknown(name)
        with IndexEdit(folder, known, lambda text: index.with_line(text, line or index.line_of(topic))) as edit:
            edit.apply()
        return topic


def listed(folder: Folder) -> list[Trashed]:
    """Return what lies in the trash, the last forgotten first."""
    trash = Folder(folder.path / TRASH, folder.agent)
    found: list[tuple[str, int, Trashed]] = []
    for stem in trash.names():
        match = _FILE.fullmatch(f"{stem}.md")
        topic = trash.topic(stem) if match else None
        if match and topic is not None:
            when = match["when"]
            told = f"{when[:4]}-{when[4:6]}-{when[6:11]}:{when[11:13]}:{when[13:]}"
            trashed = Trashed(match["name"], topic.title, told, trash.path / f"{stem}.md")
            found.append((when, int(match["number"] or 1), trashed))
    return [trashed for _, _, trashed in sorted(found, key=lambda entry: entry[:2], reverse=True)]


def unknown(name: str) -> UsageError:
    """Return the error for a topic that is not there."""
    return UsageError("unknown_topic", f'There is no topic "{name}". List them: freehold memory list', {"name": name})


def free(trash: Path, name: str, when: str) -> Path:
    """Return where in the trash a topic forgotten at `when` (20260101T000000Z) may lie."""
    number = 1
    while (target := trash / f"{name}.{when}{'' if number == 1 else f'-{number}'}.md").exists():
        number += 1
    return target


def _line(sidecar: Path) -> str:
    try:
        return msgspec.json.decode(files.read(sidecar) or b"{}", type=_Sidecar).line
    except msgspec.MsgspecError:
        # Only the wording of the index line is lost; a fresh one is made from the topic.
        return ""


def _told(line: str) -> str:
    return line.encode("utf-8", "surrogateescape").decode("utf-8", "replace").rstrip("\r\n") + "\n"


def _taken(name: str, taken: str) -> UsageError:
    message = f'There is a topic "{taken}" by now. Forget or rename that one first, then restore "{name}".'
    return UsageError("conflict", message, {"name": name, "taken": taken})
