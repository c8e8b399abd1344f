"""Pi's session files: the entries that a job speaks of, read again by a later session."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from freehold.memory.extraction.entry import Entry, entries_of

# A conversation longer than this is none that a pass should hold in memory.
MAX_BYTES = 200_000_000
_LONGEST_LINE = 20_000_000


def read(file: Path, wanted: Collection[str], clean: Collection[str]) -> list[Entry]:
    """Return the entries of the session file whose ids are `wanted`, in their order; those in `clean` are.

    Empty where the file is gone or is no plain file. A line that is no JSON (Pi was killed in the middle of it) is
    passed over, and so is what is no message.
    """
    found: list[Entry] = []
    for line in _lines(file):
        raw = _decoded(line)
        if raw is None or raw.get("type") != "message" or raw.get("id") not in wanted:
            continue
        found += entries_of([_flat(raw)])
    return [msgspec.structs.replace(one, clean=one.id in clean) for one in found]


def _lines(file: Path) -> Iterator[bytes]:
    try:
        # O_NONBLOCK so that a pipe put in the file's place cannot make us wait.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > MAX_BYTES:
        os.close(descriptor)
        return
    with os.fdopen(descriptor, "rb") as stream:
        while line := stream.readline(_LONGEST_LINE):
            yield line


def _decoded(line: bytes) -> Mapping[str, Any] | None:
    try:
        told: Any = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return cast("Mapping[str, Any]", told) if isinstance(told, dict) else None


def _flat(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry of the file as an event's `entries` have it."""
    told: Any = raw.get("message")
    message = cast("dict[str, Any]", told) if isinstance(told, dict) else dict[str, Any]()
    said = _text(message.get("content")) or str(message.get("output", ""))
    return {
        "id": raw.get("id"),
        "parentId": raw.get("parentId"),
        "role": message.get("role"),
        "text": said,
        "tool": message.get("toolName", ""),
    }


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = cast("list[object]", content) if isinstance(content, list) else []
    texts = (cast("Mapping[str, Any]", block).get("text") for block in blocks if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
