"""Every command of `/pmem`, in the order in which a surface lists them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from freehold.errors import UsageError
from freehold.memory.extraction.commands import (
    doctor,
    edit,
    extract,
    forget,
    list_,
    off,
    on,
    path,
    pending,
    save,
    search,
    show,
    status,
    undo,
)
from freehold.memory.extraction.commands.reply import Reply
from freehold.memory.extraction.extraction import Extraction


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `usage` names its arguments, `run` takes them as they were typed."""

    name: str
    usage: str
    description: str
    run: Callable[[Extraction, str], Awaitable[Reply]]


COMMANDS = (
    Command("status", "", "what memory did by itself and may still do today", status.run),
    Command("list", "", "the topics", list_.run),
    Command("show", "[NAME]", "a topic, or the index", show.run),
    Command("search", "WORDS", "what the memory says about something", search.run),
    Command("save", "TITLE: TEXT", "a note by hand", save.run),
    Command("edit", "NAME", "a topic in your editor", edit.run),
    Command("forget", "NAME", "a topic to the trash", forget.run),
    Command("pending", "[[approve|reject] NUMBER]", "memories that wait for your approval", pending.run),
    Command("on", "", "memory writes itself", on.run),
    Command("off", "", "it no longer does", off.run),
    Command("extract", "", "a pass now", extract.run),
    Command("undo", "[NUMBER]", "takes back the last write, or another", undo.run),
    Command("doctor", "", "what in the memory would mislead its reader", doctor.run),
    Command("path", "[NAME]", "where the memory lies", path.run),
)


async def call(extraction: Extraction, line: str) -> Reply:
    """Run what was typed behind `/pmem`, its status where that is nothing.

    Raises `UsageError` (`invalid_argument`) for an unknown command, and what the command raises.
    """
    name, *rest = line.split(maxsplit=1) or ["status"]
    for command in COMMANDS:
        if command.name == name:
            return await command.run(extraction, rest[0] if rest else "")
    valid = ", ".join(command.name for command in COMMANDS)
    raise UsageError("invalid_argument", f"/pmem has no command {name[:40]!r}. Valid: {valid}.")
