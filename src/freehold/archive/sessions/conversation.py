"""A conversation on its way into the archive: one thread of it, whatever agent wrote it down."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from freehold import __version__
from freehold.archive.schemas import Message
from freehold.errors import UsageError

MOST_CHARACTERS = 20_000
"""Of one message; nmem's own clients cut there too, and a longer one is nearly always a tool's output."""

_TITLE = 120
_NOT_IN_IDS = re.compile(r"[^a-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Conversation:
    """One thread. `source` is the agent, `session` its own id, `folder` where it worked, `file` what was read.

    `branch_of`: the thread that this one left, where the user went back and took another way.
    """

    thread_id: str
    source: str
    session: str
    title: str
    messages: tuple[Message, ...]
    folder: str = ""
    file: Path | None = None
    branch_of: str = ""

    def head(self) -> dict[str, Any]:
        """Return the fields of a new thread but for its messages, under nmem's names."""
        metadata: dict[str, Any] = {"session_id": self.session, "source_app": self.source, "import_origin": self.source}
        if self.source == "pi":
            metadata["pi_session_id"] = self.session
        if self.branch_of:
            metadata["branch_of"] = self.branch_of
        place = {"project": Path(self.folder).name, "workspace": self.folder} if self.folder else {}
        named = {"thread_id": self.thread_id, "title": self.title, "source": self.source}
        return {**named, **place, "tool_version": f"freehold {__version__}", "metadata": metadata}


def wire(message: Message) -> dict[str, Any]:
    """Return a message as servers take it."""
    fields = {"role": message.role, "content": message.content, "metadata": message.metadata}
    return {**fields, "timestamp": message.time} if message.time else fields


def external_id(message: Message) -> str:
    """Return the name by which a server knows the message again."""
    return str(message.metadata["external_id"])


def thread_id(source: str, session: str) -> str:
    """Return the id of a session's thread, the one that nmem's own clients make."""
    return _NOT_IN_IDS.sub("-", f"{source}-{session}".lower())


def title(messages: Iterable[Message], folder: str, source: str) -> str:
    """Return the beginning of what the user said first, else the folder's name."""
    said = (" ".join(message.content.split()) for message in messages if message.role == "user")
    return next((words[:_TITLE] for words in said if words), "") or f"{source} in {Path(folder).name or 'no folder'}"


def text(value: str) -> str:
    """Return text that can travel: halves of characters, which JSON may hold, are made whole; a long one is cut."""
    whole = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if len(whole) <= MOST_CHARACTERS:
        return whole
    return f"{whole[:MOST_CHARACTERS]}\n\n[cut: the session holds {len(whole) - MOST_CHARACTERS:,} characters more]"


def rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return the JSON objects of a session file with their line numbers, from 1.

    What is none, such as a last line that is still being written, is passed over. Raises `UsageError`
    (`file_not_found`).
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}. Name a session file that is there."
        raise UsageError("file_not_found", message, {"path": str(file)}) from error
    # On line feeds only: U+2028 and its like may stand within JSON.
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            row = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield number, cast("dict[str, Any]", row)


def inner(row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the object `name`, empty where there is none."""
    value = row.get(name)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def parts(content: Any) -> list[dict[str, Any]]:
    """Return the parts of a message's content; a plain string is one part of type text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    listed = cast("list[Any]", content) if isinstance(content, list) else []
    return [cast("dict[str, Any]", part) for part in listed if isinstance(part, dict)]


def string(row: dict[str, Any], *names: str) -> str:
    """Return the first of the fields `names` that is a string and says something."""
    return next((value for name in names if isinstance(value := row.get(name), str) and value), "")
