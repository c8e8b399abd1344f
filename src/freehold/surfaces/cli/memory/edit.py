"""`freehold memory edit`: a topic in the user's editor."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from freehold.errors import DeniedError, FreeholdError, UsageError
from freehold.memory import index, redact
from freehold.memory.name import INDEX
from freehold.memory.share import merge
from freehold.memory.share.files import StoreFiles
from freehold.memory.share.merge import Names
from freehold.memory.store import Store
from freehold.memory.topic import render
from freehold.surfaces.cli.memory import editor
from freehold.surfaces.cli.memory.options import Agent, Project
from freehold.surfaces.cli.memory.place import store_of

_TRIES = 5


def edit(
    name: Annotated[str, typer.Argument(help="The topic, or MEMORY for the index.")],
    allow_secrets: Annotated[
        bool, typer.Option("--allow-secrets", help="Keep it although something in it looks like a secret.")
    ] = False,
    project: Project = None,
    agent: Agent = "",
) -> None:
    """Open a topic in your editor (`VISUAL`, `EDITOR`) and keep what you wrote.

    What an agent wrote to the topic meanwhile is joined with it; where both changed the same lines, both stand, marked.
    """
    store = store_of(project, agent)
    file = index.FILE if name.removesuffix(".md") == INDEX else f"{store.topic(name).name}.md"
    files = StoreFiles(store)
    before = _text(store, files, file)
    folder = Path(tempfile.mkdtemp(prefix="freehold-edit-"))
    copy = folder / file
    copy.write_bytes(before.encode("utf-8", "surrogateescape"))
    editor.edit(copy)
    after = copy.read_bytes().decode("utf-8", "surrogateescape")
    if after == before:
        print("Nothing was changed.")
    else:
        if not allow_secrets:
            _refuse_secrets(after, copy)
        try:
            _keep(files, file, before, after)
        except FreeholdError as error:
            told = f"{error.message} What you wrote stands in {copy}."
            raise type(error)(error.code, told, error.data) from error
        _tell(store, file)
    copy.unlink()
    folder.rmdir()


def _text(store: Store, files: StoreFiles, file: str) -> str:
    """Return what the editor begins with; bytes that are no UTF-8 come and go as they are."""
    text = files.read(file)
    if text is not None or file == index.FILE:
        return text or ""
    # A sub-agent reads its project's topic and keeps its own version beside it.
    return render(store.topic(file))


def _refuse_secrets(text: str, copy: Path) -> None:
    if found := redact.find_secrets(text):
        message = (
            f"Line {found[0].line} holds a secret ({found[0].kind}), so nothing was kept. What you wrote stands in "
            f"{copy}. Take it out, or edit with --allow-secrets."
        )
        raise DeniedError("secret_found", message, {"line": found[0].line, "kind": found[0].kind})


def _keep(files: StoreFiles, file: str, before: str, after: str) -> None:
    for _ in range(_TRIES):
        now = files.read(file)
        joined = after if now is None or now == before else _joined(file, before, after, now)
        if files.take_in({file: joined}, {} if now is None else {file: now}):
            return
    raise UsageError("conflict", f"{file} is being written all the time. Try again.")


def _joined(file: str, before: str, mine: str, other: str) -> str:
    if file == index.FILE:
        return merge.index(before, mine, other)
    return merge.topic(before, mine, other, Names("you", "an agent")).text


def _tell(store: Store, file: str) -> None:
    print(f"Kept {file}")
    if file == index.FILE:
        return
    topic = store.topic(file)
    if topic.broken:
        print(f"freehold: {file}: {topic.broken}. Mend it: freehold memory edit {topic.name}", file=sys.stderr)
    store.reindex()
