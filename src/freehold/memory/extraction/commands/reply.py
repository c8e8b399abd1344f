"""What a command of `/pmem` answers: words for a person, and the same as plain data for a surface."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """`text` may hold lines of the memory as they stand there; a surface makes them safe for its terminal."""

    text: str
    data: dict[str, Any] = field(default_factory=dict[str, Any])
