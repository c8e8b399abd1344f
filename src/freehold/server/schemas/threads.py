"""What clients send about threads."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from freehold.server.schemas.fields import (
    Content,
    Count,
    Details,
    Limit,
    Moment,
    Name,
    Offset,
    OptionalName,
    Query,
    Title,
)

Role = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$")]
# Where a message bears the id that its client knows it by, in the order in which nmem's clients look.
_EXTERNAL = ("external_id", "source_message_id", "message_id", "openclaw_entry_id")


class Message(Struct, kw_only=True):
    """A message of a conversation."""

    content: Content
    role: Role = "user"
    timestamp: Moment | None = None
    metadata: Details | None = None
    external_id: OptionalName | None = None
    source_message_id: OptionalName | None = None
    message_id: OptionalName | None = None
    openclaw_entry_id: OptionalName | None = None

    def known_as(self) -> str | None:
        """Return the id that the client knows the message by, None where it gave none."""
        for name in _EXTERNAL:
            if own := getattr(self, name):
                return own
        for name in _EXTERNAL:
            given = (self.metadata or {}).get(name)
            if isinstance(given, str | int) and str(given):
                return str(given)[:512]
        return None


Messages = Annotated[list[Message], Meta(max_length=10_000)]


class Thread(Struct, kw_only=True):
    """A conversation as a whole."""

    thread_id: Name
    messages: Messages
    title: Title | None = None
    summary: Title | None = None
    source: OptionalName | None = None
    project: Title | None = None
    workspace: Title | None = None
    tool_version: Title | None = None
    import_date: Moment | None = None
    participants: list[str] | None = None
    space_id: OptionalName | None = None
    metadata: Details | None = None
    agent_id: OptionalName | None = None
    host_agent_id: OptionalName | None = None
    source_app: OptionalName | None = None


class Append(Struct, kw_only=True):
    """Messages for the end of a thread. `file_path` is refused: a server reads no files for its clients."""

    messages: Messages | None = None
    deduplicate: bool = True
    idempotency_key: OptionalName | None = None
    expected_message_count: Count | None = None
    space_id: OptionalName | None = None
    file_path: str | None = None


class ImportedThread(Struct, kw_only=True):
    """A conversation among those to import; one that is there already gets what it lacks."""

    thread_id: OptionalName | None = None
    messages: Messages | None = None
    markdown_content: Content | None = None
    title: Title | None = None
    summary: Title | None = None
    source: OptionalName | None = None
    project: Title | None = None
    workspace: Title | None = None
    tool_version: Title | None = None
    import_date: Moment | None = None
    participants: list[str] | None = None
    space_id: OptionalName | None = None
    metadata: Details | None = None
    agent_id: OptionalName | None = None
    host_agent_id: OptionalName | None = None
    source_app: OptionalName | None = None
    expected_message_count: Count | None = None
    idempotency_key: OptionalName | None = None


class Import(ImportedThread, kw_only=True):
    """One conversation, or several as `threads`."""

    threads: Annotated[list[ImportedThread], Meta(max_length=1_000)] | None = None
    file_path: str | None = None


class MetadataMerge(Struct, kw_only=True):
    """What to add to a thread's metadata. `only_missing`: what is there stays."""

    metadata: Details
    only_missing: bool = False
    space_id: OptionalName | None = None


class SyncCompleted(Struct, kw_only=True):
    """What a client says after a sync; counted and kept nowhere."""

    client: str | None = None
    imported_count: Any = None


class ThreadList(Struct, kw_only=True):
    """Which threads to list."""

    limit: Limit = 20
    offset: Offset = 0
    source: OptionalName | None = None
    space_id: OptionalName | None = None


class ThreadSearch(Struct, kw_only=True):
    """What to search threads for."""

    query: Annotated[Query, Meta(min_length=1)]
    limit: Limit = 20
    mode: Literal["full", "suggestions"] = "full"
    source: OptionalName | None = None
    space_id: OptionalName | None = None


class ThreadRead(Struct, kw_only=True):
    """Which messages of a thread to read; all without a limit."""

    limit: Limit | None = None
    offset: Offset = 0
    space_id: OptionalName | None = None


class ThreadDelete(Struct, kw_only=True):
    """Whether the memories that cite a thread go with it."""

    cascade_delete_memories: bool = False
    space_id: OptionalName | None = None
