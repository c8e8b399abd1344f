"""The context bundle: what an agent should know at its start, from working memory and the memories that weigh most."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import Connection, select

from freehold.server.store import memory_rows, spaces, thread_rows, working_memory
from freehold.server.store.archive_time import now
from freehold.server.store.tables import memories

Row = dict[str, Any]
_SCHEMA = "1"
_IMPORTANT = 0.7
_MEMORIES = 10
_THREADS = 5
_CHARACTERS = 400


def bundle(
    connection: Connection, space_id: str, *, agent: str | None, source_app: str | None, with_working_memory: bool
) -> Row:
    """Return the bundle of a space. It says the same while nothing changed, so that a prompt's cache holds."""
    working = working_memory.read(connection, space_id) if with_working_memory else None
    important = _important(connection, space_id)
    recent, _ = thread_rows.listed(connection, space_id, None, _THREADS, 0)
    rendered = _rendered(working, important, recent)
    space = next((each for each in spaces.all_of(connection) if each["id"] == space_id), {"id": space_id})
    return {
        "schema_version": _SCHEMA,
        "generated_at": now(),
        "bundle_kind": "context",
        "owner_profile": None,
        "agent_profile": {"agent_id": agent, "source_app": source_app} if agent or source_app else None,
        "active_space": space,
        "rule_stack": [],
        "working_memory": working,
        "kfs_roots": [],
        "authorship": None,
        "warnings": [],
        "rendered_markdown": rendered,
        "compiled_hash": hashlib.sha256(rendered.encode()).hexdigest(),
    }


def _important(connection: Connection, space_id: str) -> list[Row]:
    where = (memories.c.space_id == space_id, memories.c.importance >= _IMPORTANT)
    order = (memories.c.importance.desc(), memories.c.created_at.desc(), memories.c.memory_pk.desc())
    rows = connection.execute(select(memories).where(*where).order_by(*order).limit(_MEMORIES)).mappings()
    return memory_rows.shown_all(connection, space_id, [dict(row) for row in rows])


def _rendered(working: Row | None, important: list[Row], recent: list[Row]) -> str:
    parts: list[str] = []
    if working and working["content"].strip():
        parts.append(f"## Working memory ({working['date']})\n\n{working['content'].strip()}")
    if important:
        lines = [f"- **{_line(each['title'])}** ({each['id']}): {_line(each['content'])}" for each in important]
        parts.append("## Memories that weigh most\n\n" + "\n".join(lines))
    if recent:
        lines = [f"- {_line(row['title'])} ({row['thread_id']})" for row in recent]
        parts.append("## Conversations imported last\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _line(text: str) -> str:
    line = " ".join(text[: 2 * _CHARACTERS].split())
    return line if len(line) <= _CHARACTERS else f"{line[: _CHARACTERS - 1]}\u2026"
