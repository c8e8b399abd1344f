"""Pi's sessions: a file of JSON lines that form a tree, or the entries that Pi's side relays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from freehold import paths
from freehold.archive.schemas import Message
from freehold.archive.sessions import conversation
from freehold.archive.sessions.conversation import Conversation, inner, parts, rows, string
from freehold.archive.sessions.tree import Branch, Entry, branches, said

SOURCE = "pi"
_OURS = "freehold"
_ROLES = {"user": "user", "bashExecution": "user", "assistant": "assistant", "toolResult": "assistant"}
# Pi ends an answer with one of these; "error" and "aborted" are attempts, and an error is left out even when the turn
# goes on, as Pi leaves it out of what the model sees.
_ENDS = {"stop", "toolUse", "length"}


def files() -> list[Path]:
    """Return the session files, the oldest first: their names begin with the time."""
    folder = paths.agent_folder() / "sessions"
    return sorted(folder.glob("*/*.jsonl"), key=lambda file: file.name)


def conversations(file: Path) -> list[Conversation]:
    """Return the threads of a session file; raise `UsageError` (`file_not_found`)."""
    session, folder, name = "", "", ""
    entries: list[Entry] = []
    for number, row in rows(file):
        kind = row.get("type")
        if kind == "session":
            session, folder = string(row, "id"), string(row, "cwd")
        elif kind == "session_info":
            name = string(row, "name") or name
        if kind != "session":
            entries.append(_entry(row, number - 2, entries))
    # A session without a header is known by its file, as nmem's own Pi package does it.
    return _threads(session or file.stem, entries, folder=folder, name=name, file=file)


def relayed(session: str, entries: Sequence[dict[str, Any]], folder: str = "") -> list[Conversation]:
    """Return the threads of a session without a file, from relayed entries: `{id, parentId, role, text, tool}`."""
    return _threads(session, map(_relayed, entries), folder=folder)


def _threads(
    session: str, entries: Iterable[Entry], *, folder: str, name: str = "", file: Path | None = None
) -> list[Conversation]:
    main = conversation.thread_id(SOURCE, session)
    found: list[Conversation] = []
    for branch in branches(entries):
        messages = _messages(branch)
        if not any(message.role == "user" for message in messages):
            continue
        own = conversation.thread_id(SOURCE, f"{session}-b-{branch.start}") if branch.start else main
        title = name or conversation.title(messages, folder, SOURCE)
        branch_of = main if branch.start else ""
        found.append(Conversation(own, SOURCE, session, title, messages, folder, file, branch_of))
    return found


def _messages(branch: Branch) -> tuple[Message, ...]:
    return tuple(
        Message(index, entry.role, entry.text, entry.time, entry.metadata) for index, entry in enumerate(said(branch))
    )


def _entry(row: dict[str, Any], number: int, before: Sequence[Entry]) -> Entry:
    """Read an entry. Those of Pi's first format have no ids: their number and the entry before stand in."""
    own = string(row, "id") or str(max(number, 0))
    parent = string(row, "parentId") if "parentId" in row else (before[-1].id if before else "")
    message = inner(row, "message")
    role, words = _words(row, message)
    end = string(message, "stopReason")
    if end == "error":
        role, words = "", ""
    metadata: dict[str, Any] = {
        "external_id": f"pi-entry-{own}",
        "pi_entry_id": own,
        "pi_entry_type": string(row, "type"),
        "pi_message_role": string(message, "role"),
        "source_app": SOURCE,
    }
    if end == "aborted":
        metadata["aborted"] = True
    # Pi's first versions wrote no reason for the end of an answer.
    answered = string(message, "role") == "assistant" and (end in _ENDS or not end)
    return Entry(own, parent, role, conversation.text(words), string(row, "timestamp"), answered, metadata)


def _words(row: dict[str, Any], message: dict[str, Any]) -> tuple[str, str]:
    """Return role and text of an entry, both empty where it is no part of the conversation.

    A compaction's summary is left out: what it sums up stands in the thread. What an extension put in unseen, our own
    memory first of all, was not said by anyone.
    """
    kind = row.get("type")
    if kind == "message":
        role = _ROLES.get(string(message, "role"), "")
        return role, _of_message(message) if role else ""
    if kind == "branch_summary":
        return "assistant", f"Pi branch summary:\n{string(row, 'summary')}"
    custom = string(row, "customType")
    if kind == "custom_message" and row.get("display") is not False and not custom.startswith(_OURS):
        return "user", f"Pi custom context ({custom}):\n{_joined(row.get('content'))}"
    return "", ""


def _of_message(message: dict[str, Any]) -> str:
    if message.get("role") != "bashExecution":
        return _joined(message.get("content"))
    code = message.get("exitCode")
    failed = f"\n\nCommand exited with code {code}" if isinstance(code, int) and code else ""
    return f"Ran `{string(message, 'command')}`\n```\n{string(message, 'output') or '(no output)'}\n```{failed}"


def _joined(content: Any) -> str:
    return "\n".join(words for part in parts(content) if (words := _part(part)))


def _part(part: dict[str, Any]) -> str:
    kind = part.get("type")
    if kind == "text":
        return string(part, "text")
    if kind == "toolCall":
        return f"[Tool: {string(part, 'name') or 'tool'}]"
    return "[Image]" if kind == "image" else ""


def _relayed(row: dict[str, Any]) -> Entry:
    own, role, tool = string(row, "id"), string(row, "role"), string(row, "tool")
    words = string(row, "text") or (f"[Tool: {tool}]" if tool and role == "assistant" else "")
    metadata = {"external_id": f"pi-entry-{own}", "pi_entry_id": own, "pi_message_role": role, "source_app": SOURCE}
    answered = role == "assistant" and bool(words)
    return Entry(own, string(row, "parentId"), _ROLES.get(role, ""), conversation.text(words), "", answered, metadata)
