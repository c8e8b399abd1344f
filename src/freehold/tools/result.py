"""What a tool answers, before any surface has turned it into its own shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from freehold.errors import FreeholdError


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: raw bytes and their MIME type."""

    data: bytes
    mime_type: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Words for the agent, pictures, and the same facts as `data` for machines; `is_error` as MCP means it."""

    text: str
    images: tuple[Image, ...] = ()
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    is_error: bool = False


def error_result(error: FreeholdError) -> ToolResult:
    """Turn an error into words for an agent: the stable code, then the message with its next step."""
    return ToolResult(f"[{error.code}] {error.message}", data={"error": error.to_wire()}, is_error=True)
