"""What a model is shown of a conversation: without secrets, and without what the memory said itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from freehold.memory.extraction.entry import Entry, Role, own_words
from freehold.memory.redact import redact

# Characters of one entry that a pass sees; a tool's result tells by its beginning what it was.
_SHOWN: dict[Role, int] = {"user": 8_000, "assistant": 5_000, "tool": 1_500}
MOST = 60_000
"""Characters of all entries; the newest are kept."""

# A line so short means something only beside others: not what tells a quotation of the memory.
_TELLING = 24
_BLOCK = re.compile(
    r"<(?P<tag>(?:freehold|project|recalled|relevant)[-_]?(?:memory|memories|recall))\b[^>]*>.*?(?:</(?P=tag)\s*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
# What comes as the user's message, and is a template's or another program's.
_NOT_TYPED = "text that the user did not type"


@dataclass(frozen=True, slots=True)
class Part:
    """One entry as it is shown: `number` from 1, `clean` as in `Entry`."""

    number: int
    role: Role
    text: str
    clean: bool
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The parts that a pass works on."""

    parts: tuple[Part, ...]

    def clean_text(self) -> str:
        """Return what neither a page nor a tool can have had a say in."""
        return "\n".join(part.text for part in self.parts if part.clean)

    def other_text(self) -> str:
        """Return the rest."""
        return "\n".join(part.text for part in self.parts if not part.clean)

    def said_by_user(self) -> str:
        """Return the user's words."""
        return "\n".join(part.text for part in self.parts if part.role == "user")

    def render(self) -> str:
        """Return one JSON object a line: no text in it can end its own entry and pass for another."""
        return "\n".join(_line(part) for part in self.parts)


def conversation(entries: Sequence[Entry], memory: Iterable[str]) -> Conversation:
    """Return what is shown of `entries`; `memory` are the texts of the store, whose lines are left out."""
    known = {_normal(line) for text in memory for line in text.splitlines() if len(_normal(line)) >= _TELLING}
    parts: list[Part] = []
    left = MOST
    for entry in reversed(entries):
        # First the secrets: cutting could leave one in a form that is not recognised.
        text = without_memory(redact(_own_words(entry)), known)
        text = _shortened(text, min(left, _SHOWN[entry.role]))
        if not text.strip():
            continue
        left -= len(text)
        parts.append(_part(entry, text))
        if left <= 0:
            break
    numbered = enumerate(reversed(parts), 1)
    return Conversation(tuple(Part(n, part.role, part.text, part.clean, part.tool) for n, part in numbered))


def without_memory(text: str, known: Iterable[str]) -> str:
    """Return `text` without the blocks that put memory into a context and without lines that stand in the store.

    `known`: those lines. Of a text that is mostly such lines nothing is left.
    """
    lines = _BLOCK.sub("", text).splitlines()
    kept = [line for line in lines if _normal(line) not in known]
    telling = sum(len(_normal(line)) >= _TELLING for line in lines)
    return "" if len(lines) - len(kept) > telling / 2 else "\n".join(kept)


def _part(entry: Entry, text: str) -> Part:
    if entry.role == "user" and not entry.clean:
        return Part(0, "tool", text, clean=False, tool=_NOT_TYPED)
    return Part(0, entry.role, text, entry.clean, entry.tool)


def _own_words(entry: Entry) -> str:
    return own_words(entry.text, "[something was attached]") if entry.role == "user" else entry.text


def _normal(line: str) -> str:
    # A tool that reads files may number their lines.
    return " ".join(re.sub(r"^\s*\d+\s*[:|\u2192\t]", "", line).split()).strip("-*+> ").casefold()


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()} [{len(text) - most} more characters]"


def _line(part: Part) -> str:
    told: dict[str, object] = {"number": part.number, "from": part.role}
    if part.tool:
        told["tool"] = part.tool[:80]
    return msgspec.json.encode({**told, "text": _whole(part.text)}).decode()


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
