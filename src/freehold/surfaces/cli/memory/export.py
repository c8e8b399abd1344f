"""`freehold memory export`: the topics, to take elsewhere."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Annotated

import typer

from freehold.errors import UsageError
from freehold.memory import redact
from freehold.memory.store import Store
from freehold.memory.topic import render
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
    files = _files(store)
    _write(target, files)
    secrets = [name for name, data in files.items() if redact.find_secrets(data.decode("utf-8", "replace"))]
    if as_json:
        print_json({"target": str(target.absolute()), "files": list(files), "with_secrets": secrets})
        return
    print(f"Exported {len(files)} files to {target}")
    if secrets:
        print(f"Take care: {', '.join(secrets)} may hold a secret. See: freehold memory doctor")


def _files(store: Store) -> dict[str, bytes]:
    files = {f"{topic.name}.md": render(topic).encode("utf-8", "surrogatepass") for topic in store.topics()}
    index = store.path / "MEMORY.md"
    return ({"MEMORY.md": index.read_bytes()} if index.is_file() else {}) | files


def _write(target: Path, files: dict[str, bytes]) -> None:
    if target.exists():
        message = f"{target} is there already, and an export overwrites nothing. Name a new folder or file."
        raise UsageError("invalid_argument", message, {"path": str(target)})
    try:
        if target.suffix == ".zip":
            with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
                for name, data in files.items():
                    archive.writestr(name, data)
            return
        target.mkdir(parents=True)
        for name, data in files.items():
            (target / name).write_bytes(data)
    except OSError as error:
        message = f"{target} cannot be written: {error.strerror}. Name a place that you can write to."
        raise UsageError("invalid_argument", message, {"path": str(target)}) from error
