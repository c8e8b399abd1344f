"""`freehold memory export`: the topics, to take elsewhere."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Annotated

import typer

from freehold.browser.marks import one_line
from freehold.errors import DeniedError, UsageError
from freehold.memory import files, index, redact
from freehold.memory.store import Store
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of
from freehold.surfaces.cli.memory.topic_data import topic_data


def export(
    target: Annotated[Path | None, typer.Argument(help="A new folder, or a file that ends in .zip.")] = None,
    project: Project = None,
    agent: Agent = "",
    as_json: AsJson = False,
) -> None:
    """Copy the index and the topics to a new folder or a zip file; `--json` without one prints them.

    `freehold memory import store FOLDER` takes them in elsewhere.
    """
    store = store_of(project, agent)
    if target is None:
        if not as_json:
            raise UsageError("invalid_argument", "Name a new folder or a .zip file for the export, or say --json.")
        print_json({"path": str(store.path), "topics": [topic_data(topic, body=True) for topic in store.topics()]})
        return
    found, left = _files(store)
    _write(target, found)
    secrets = [name for name, data in found.items() if redact.find_secrets(data.decode("utf-8", "replace"))]
    if as_json:
        print_json({"target": str(target.absolute()), "files": list(found), "left_out": left, "with_secrets": secrets})
        return
    print(f"Exported {len(found)} files to {target}")
    if left:
        print(f"Left out, for they are no plain files or may not be read: {one_line(', '.join(left))}")
    if secrets:
        print(f"Take care: {', '.join(secrets)} may hold a secret. See: freehold memory doctor")


def _files(store: Store) -> tuple[dict[str, bytes], list[str]]:
    """Return the files byte for byte, whatever state they are in, and the names of those that are none."""
    found: dict[str, bytes] = {}
    left: list[str] = []
    for name in (index.FILE, *(f"{topic.name}.md" for topic in store.topics())):
        # A sub-agent's own goes before its project's of the same name, as everywhere.
        for folder in store.folders:
            try:
                data = files.read(folder / name)
            except (DeniedError, PermissionError):
                left.append(name)
                break
            if data is not None:
                found[name] = data
                break
    return found, left


def _write(target: Path, found: dict[str, bytes]) -> None:
    if target.exists():
        message = f"{target} is there already, and an export overwrites nothing. Name a new folder or file."
        raise UsageError("invalid_argument", message, {"path": str(target)})
    try:
        if target.suffix == ".zip":
            with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
                for name, data in found.items():
                    archive.writestr(name, data)
            return
        target.mkdir(parents=True)
        for name, data in found.items():
            (target / name).write_bytes(data)
    except OSError as error:
        message = f"{target} cannot be written: {error.strerror}. Name a place that you can write to."
        raise UsageError("invalid_argument", message, {"path": str(target)}) from error
