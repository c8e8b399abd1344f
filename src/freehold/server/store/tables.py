"""The tables. `space_id` leads every key of what belongs to a space, so that the schema can be spread by it (ADR 6)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Integer, MetaData, String, Table

from freehold.server.store.fields import Json, Prose

metadata = MetaData()

# On SQLite the number of a row is the table's own row id, which the search index shares.
_NUMBER = BigInteger().with_variant(Integer(), "sqlite")

spaces = Table(
    "spaces",
    metadata,
    Column("space_id", String, primary_key=True),
    Column("name", Prose, nullable=False),
    Column("created_at", String, nullable=False),
    Column("details", Json),
)

threads = Table(
    "threads",
    metadata,
    Column("space_id", String, nullable=False),
    Column("thread_pk", _NUMBER, nullable=False),
    Column("thread_id", String, nullable=False),
    Column("uuid", String, nullable=False),
    Column("title", Prose, nullable=False),
    Column("summary", Prose, nullable=False),
    Column("source", String, nullable=False),
    Column("project", Prose),
    Column("workspace", Prose),
    Column("tool_version", Prose),
    Column("participants", Json),
    Column("metadata", Json),
    Column("agent_id", Prose),
    Column("host_agent_id", Prose),
    Column("source_app", Prose),
    Column("message_count", Integer, nullable=False),
    Column("term_count", _NUMBER, nullable=False),
    Column("last_activity", String),
    Column("import_date", String, nullable=False),
    Column("created_at", String, nullable=False),
    Column("updated_at", String, nullable=False),
)

messages = Table(
    "messages",
    metadata,
    Column("space_id", String, nullable=False),
    Column("message_pk", _NUMBER, nullable=False),
    Column("thread_pk", _NUMBER, nullable=False),
    Column("order_index", Integer, nullable=False),
    Column("role", String, nullable=False),
    Column("content", Prose, nullable=False),
    Column("timestamp", String),
    Column("external_id", String),
    Column("metadata", Json),
    Column("term_count", Integer, nullable=False),
    Column("created_at", String, nullable=False),
)

memories = Table(
    "memories",
    metadata,
    Column("space_id", String, nullable=False),
    Column("memory_pk", _NUMBER, nullable=False),
    Column("memory_id", String, nullable=False),
    Column("title", Prose, nullable=False),
    Column("content", Prose, nullable=False),
    Column("unit_type", String),
    Column("importance", Float, nullable=False),
    Column("confidence", Float),
    Column("source", String),
    Column("source_app", Prose),
    Column("source_thread", String),
    Column("event_start", String),
    Column("event_end", String),
    Column("temporal_context", String),
    Column("metadata", Json),
    Column("term_count", Integer, nullable=False),
    Column("created_at", String, nullable=False),
    Column("updated_at", String, nullable=False),
)

labels = Table(
    "labels",
    metadata,
    Column("space_id", String, primary_key=True),
    Column("label_id", String, primary_key=True),
    Column("name", Prose, nullable=False),
    Column("color", Prose),
    Column("description", Prose),
    Column("created_at", String, nullable=False),
)

memory_labels = Table(
    "memory_labels",
    metadata,
    Column("space_id", String, primary_key=True),
    Column("memory_pk", _NUMBER, primary_key=True),
    Column("label_id", String, primary_key=True),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("space_id", String, primary_key=True),
    Column("scope", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("request_hash", String, nullable=False),
    Column("response", Json, nullable=False),
    Column("created_at", String, nullable=False),
)

working_memory = Table(
    "working_memory",
    metadata,
    Column("space_id", String, primary_key=True),
    Column("date", String, primary_key=True),
    Column("content", Prose, nullable=False),
    Column("updated_at", String, nullable=False),
)

# Who may use the server, and what it says of itself: not of a space (on Citus, reference tables).
api_keys = Table(
    "api_keys",
    metadata,
    Column("key_id", String, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("digest", String, nullable=False),
    Column("spaces", Json),
    Column("read_only", Integer, nullable=False),
    Column("created_at", String, nullable=False),
    Column("revoked_at", String),
)

settings = Table(
    "settings",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", Json, nullable=False),
)
