"""Codex's sessions: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`, with archived ones beside them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from freehold.archive.schemas import Message
from freehold.archive.sessions import conversation
from freehold.archive.sessions.conversation import Conversation, inner, parts, rows, string

SOURCE = "codex"
_SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
# What the program itself puts where the user's words stand.
_NOT_SAID = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions",
    "<turn_aborted>",
    "# AGENTS.md instructions",
)


def files() -> list[Path]:
    """Return the session files, the oldest first: their names begin with the time."""
    base = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex").expanduser()
    found = [*base.glob("sessions/*/*/*/rollout-*.jsonl"), *base.glob("archived_sessions/rollout-*.jsonl")]
    return sorted(found, key=lambda file: file.name)


def conversations(file: Path) -> list[Conversation]:
    """Return the thread of a session file; raise `UsageError` (`file_not_found`)."""
    session, folder, messages = "", "", list[Message]()
    for number, row in rows(file):
        if row.get("type") == "session_meta":
            meta = inner(row, "payload")
            session, folder = session or string(meta, "id"), folder or string(meta, "cwd")
            continue
        # Before session_meta came, the items stood in the file by themselves.
        item = inner(row, "payload") if row.get("type") == "response_item" else row
        words = conversation.text(_words(item))
        if words.strip() and not words.lstrip().startswith(_NOT_SAID):
            messages.append(_message(row, item, number, len(messages), words))
    found = _SESSION.search(file.stem)
    session = session or (found[0] if found else file.stem)
    if not {"user", "assistant"} <= {message.role for message in messages}:
        return []
    title = conversation.title(messages, folder, SOURCE)
    own = conversation.thread_id(SOURCE, session)
    return [Conversation(own, SOURCE, session, title, tuple(messages), folder, file)]


def _message(row: dict[str, Any], item: dict[str, Any], number: int, index: int, words: str) -> Message:
    role = "user" if item.get("role") == "user" else "assistant"
    # Items have no ids of their own; the file is only ever added to, so a line keeps its number.
    metadata = {"external_id": f"codex-line-{number}", "source_app": SOURCE}
    return Message(index, role, words, string(row, "timestamp"), metadata)


def _words(item: dict[str, Any]) -> str:
    """Return what was said. A tool's output is left out: it can be had again, and is most of such a file."""
    kind = item.get("type")
    if kind == "message" and item.get("role") in {"user", "assistant"}:
        return "\n\n".join(words for part in parts(item.get("content")) if (words := _part(part)))
    if kind in {"function_call", "custom_tool_call"}:
        return f"[Used tool: {string(item, 'name') or 'tool'}] {string(item, 'arguments', 'input')}".rstrip()
    return ""


def _part(part: dict[str, Any]) -> str:
    if part.get("type") in {"input_text", "output_text", "text"}:
        return string(part, "text")
    return "[Image]" if part.get("type") == "input_image" else ""
