"""What was said in a conversation, as Pi's events and session files tell it: one entry a message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

import msgspec

Role = Literal["user", "assistant", "tool"]

# Other roles (system, custom, compactionSummary, branchSummary) are what programs put into the context: the memory
# block, what recall found, summaries of what was already worked through.
_ROLES: Mapping[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
    "tool": "tool",
    "bashExecution": "tool",
}
_MEMORY_TOOLS = ("pmem_", "nmem_")
# More of one message tells a pass nothing; it must not fill the worker's memory either.
_LONGEST = 100_000
# Pi puts files (`pi @FILE`) and skills into the user's message. Up to the last end: a file may hold the mark itself.
_ATTACHED = re.compile(r"<(?P<kind>file|skill) name=\".*</(?P=kind)>", re.DOTALL)
# What it says of pictures that it made smaller, or could not send.
_PICTURES = re.compile(r"(?:\n+\[Image[^\n\]]*\])+\Z")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One message.

    `tool`: the tool whose result it is. `clean`: whether no page, tool or template can have had a say in it; what the
    user typed is, a tool's result never is, and the agent's are until the first entry of the conversation that is not.
    """

    id: str
    role: Role
    text: str
    parent_id: str = ""
    tool: str = ""
    clean: bool = False


def entries_of(listed: object) -> list[Entry]:
    """Return the entries in an event's `entries`; what is no message of the conversation, or no entry, is left out."""
    found = (_entry(raw) for raw in cast("Iterable[object]", listed)) if isinstance(listed, list | tuple) else ()
    return [entry for entry in found if entry is not None]


def _entry(raw: object) -> Entry | None:
    if not isinstance(raw, Mapping):
        return None
    told = cast("Mapping[str, Any]", raw)
    role = _ROLES.get(str(told.get("role", "")))
    entry_id, text, tool = (clipped(told.get(key)) for key in ("id", "text", "tool"))
    if role is None or not entry_id or told.get("customType"):
        return None
    clean = role == "user"
    text = "" if recalls(tool) else text
    return Entry(id=entry_id, role=role, text=text, parent_id=clipped(told.get("parentId")), tool=tool, clean=clean)


def recalls(tool: str) -> bool:
    """Tell whether `tool` answers from a memory: what was kept once is not to be kept again."""
    return tool.removeprefix("freehold_").startswith(_MEMORY_TOOLS)


def own_words(text: str, instead: str = "") -> str:
    """Return a user's message with `instead` in the place of what was attached to it."""
    return _PICTURES.sub("", _ATTACHED.sub(instead, text))


def clipped(value: object) -> str:
    """Return as much of a text as an entry holds; an empty one for what is none."""
    return value[:_LONGEST] if isinstance(value, str) else ""
