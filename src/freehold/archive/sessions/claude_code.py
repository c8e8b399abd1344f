"""Claude Code's sessions: `~/.claude/projects/<slug>/<session>.jsonl`, one line a piece of a message.

A piece is archived as a message of its own: the pieces of an answer come one by one, and what is archived stays.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from freehold.archive.schemas import Message
from freehold.archive.sessions import conversation
from freehold.archive.sessions.conversation import Conversation, inner, parts, rows, string

SOURCE = "claude-code"
# What the program itself puts where the user's words stand.
_NOT_SAID = (
    "<local-command-",
    "<command-name>",
    "<command-message>",
    "<system-reminder>",
    "Caveat: The messages below",
)


def files() -> list[Path]:
    """Return the session files, the oldest first. Those of sub-agents are no conversations with the user."""
    base = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude").expanduser() / "projects"
    found = [file for file in base.glob("*/*.jsonl") if not file.name.startswith("agent-")]
    return sorted(found, key=lambda file: (file.stat().st_mtime, file.name))


def conversations(file: Path) -> list[Conversation]:
    """Return the thread of a session file; raise `UsageError` (`file_not_found`)."""
    folder, messages = "", list[Message]()
    for _, row in rows(file):
        folder = folder or string(row, "cwd")
        if row.get("isSidechain") or row.get("isMeta") or row.get("type") not in {"user", "assistant"}:
            continue
        message = inner(row, "message")
        words = conversation.text(_words(message))
        if not words.strip() or words.lstrip().startswith(_NOT_SAID):
            continue
        messages.append(_message(row, len(messages), words))
    if not {"user", "assistant"} <= {message.role for message in messages}:
        return []
    title = conversation.title(messages, folder, SOURCE)
    own = conversation.thread_id(SOURCE, file.stem)
    return [Conversation(own, SOURCE, file.stem, title, tuple(messages), folder, file)]


def _message(row: dict[str, Any], index: int, words: str) -> Message:
    uuid = string(row, "uuid") or str(index)
    metadata = {"external_id": f"claude-code-{uuid}", "uuid": uuid, "source_app": SOURCE}
    return Message(index, str(row["type"]), words, string(row, "timestamp"), metadata)


def _words(message: dict[str, Any]) -> str:
    """Return what was said. A tool's output is left out: it can be had again, and is most of such a file."""
    pieces: list[str] = []
    for part in parts(message.get("content")):
        if part.get("type") == "text":
            pieces.append(string(part, "text"))
        elif part.get("type") == "tool_use":
            given = inner(part, "input")
            about = string(given, "command", "file_path", "pattern", "query", "url", "description", "prompt")
            pieces.append(f"[Used tool: {string(part, 'name') or 'tool'}] {about}".rstrip())
        elif part.get("type") == "image":
            pieces.append("[Image]")
    return "\n\n".join(piece for piece in pieces if piece)
