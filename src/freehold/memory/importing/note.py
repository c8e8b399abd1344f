"""A note of another tool's memory, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Note:
    """What is to become a topic; `name` may be empty, `origin` is the file it was read from."""

    title: str
    body: str
    origin: Path
    name: str = ""
    description: str = ""
    type: str = ""
    label: str = ""
