"""Importing conversations: each is made, or gets what it lacks; one that fails says why and stops no other."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import msgspec
from sqlalchemy import Connection

from freehold.server.faults import unprocessable
from freehold.server.schemas.threads import ImportedThread, Message, Thread
from freehold.server.store import appending, message_rows, thread_rows, threads
from freehold.server.store.appending import Batch
from freehold.server.store.archive import Archive

Row = dict[str, Any]

# `## User`, `**Assistant:**` or `User:` at the beginning of a line, as agents export their conversations.
_TURN = re.compile(
    r"^(?:#{1,6}\s*|\*\*)?(?P<role>user|human|assistant|ai|system|tool)\b(?:\*\*)?\s*:?\s*(?:\*\*)?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_ROLES = {"human": "user", "ai": "assistant"}
_HEADING = re.compile(r"^#\s+(?P<title>\S.*)$", re.MULTILINE)
_DEFAULT_SOURCE = "import"


def import_thread(connection: Connection, archive: Archive, space_id: str, given: ImportedThread) -> Row:
    """Make a thread or add to it what it lacks; return what clients read of it as a result."""
    thread = _as_thread(given)
    batch = Batch(thread.messages, key=given.idempotency_key or "", expected=given.expected_message_count)
    there = thread_rows.found(connection, space_id, thread.thread_id, lock=True)
    if there is None:
        _check_new(batch)
        added = threads.create(connection, archive, space_id, thread, batch)
        added.checkpointed = batch.expected is not None
        answer = added.answer()
    else:
        answer = appending.append(connection, archive, space_id, thread.thread_id, batch)
    title = there["title"] if there else thread.title
    counted = {"message_count": answer["total_messages"], "messages_added": answer["messages_added"]}
    result: Row = {"success": True, "thread_id": answer["thread_id"], "title": title, **counted}
    return result | {name: answer[name] for name in ("append_mode", "warnings") if name in answer}


def _check_new(batch: Batch) -> None:
    if batch.expected:
        # A checkpoint of a thread that is not there expects what was lost.
        raise appending.checkpoint_conflict(batch.expected, 0)


def _as_thread(given: ImportedThread) -> Thread:
    messages = given.messages
    title = given.title
    if messages is None:
        if given.markdown_content is None:
            raise unprocessable("An import needs `messages`, `threads` or `markdown_content`.")
        messages, heading = _from_markdown(given.markdown_content)
        title = title or heading
    own = given.thread_id or f"import-{message_rows.request_hash(messages)}"
    fields = {name: getattr(given, name) for name in Thread.__struct_fields__ if name not in {"messages", "thread_id"}}
    fields |= {"title": title, "source": given.source or _DEFAULT_SOURCE}
    return Thread(thread_id=own, messages=messages, **fields)


def _from_markdown(text: str) -> tuple[list[Message], str | None]:
    """Return the turns of a conversation in Markdown, and its first heading; without turns it is one message."""
    heading = _HEADING.search(text)
    title = heading["title"].strip()[:200] if heading and not _TURN.match(heading[0]) else None
    turns = list(_TURN.finditer(text))
    ends = [turn.start() for turn in turns[1:]] + [len(text)]
    found: list[Message] = []
    for at, (turn, end) in enumerate(zip(turns, ends, strict=True)):
        content = text[turn.end() : end].strip()
        role = turn["role"].lower()
        if content:
            # Its place and words name it, so that a second import of the same text adds nothing.
            own = hashlib.blake2b(f"{at}\n{content}".encode(), digest_size=12).hexdigest()
            found.append(Message(content=content, role=_ROLES.get(role, role), external_id=f"md-{own}"))
    if not found:
        own = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
        found.append(Message(content=text, external_id=f"md-{own}"))
    return found, title


def failed(given: ImportedThread, detail: str, code: str) -> Row:
    """Return the result of a thread that could not be imported."""
    title = given.title if isinstance(given.title, str) else None
    return {
        "success": False,
        "thread_id": given.thread_id,
        "title": title,
        "message_count": 0,
        "error": detail,
        "error_code": code,
    }


def together(results: list[Row]) -> Row:
    """Return the answer to an import of several threads."""
    done = sum(result["success"] for result in results)
    return {
        "success": done == len(results),
        "imported_count": done,
        "failed_count": len(results) - done,
        "results": results,
    }


def spread(given: Any) -> list[ImportedThread]:
    """Return the threads of an import, those listed or the one that the body itself is."""
    if given.threads is None:
        return [msgspec.convert(msgspec.structs.asdict(given), ImportedThread, from_attributes=True)]
    return [each if each.space_id else msgspec.structs.replace(each, space_id=given.space_id) for each in given.threads]
