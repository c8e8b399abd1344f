"""The first tables, and what their rows are found by."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_SQLITE_SEARCH = ("messages", "threads", "memories")
_OF_SPACE = (
    ("threads", "thread_pk"),
    ("messages", "message_pk"),
    ("memories", "memory_pk"),
)


def upgrade() -> None:
    """Make every table."""
    _tables()
    _indexes()
    if op.get_bind().dialect.name == "sqlite":
        # The tokens are ours; SQLite only splits them at spaces. Contentless: the text stands in its row already.
        for name in _SQLITE_SEARCH:
            op.execute(f"CREATE VIRTUAL TABLE {name}_fts USING fts5(terms, content='', tokenize='ascii')")
            op.execute(f"CREATE VIRTUAL TABLE {name}_vocabulary USING fts5vocab({name}_fts, 'row')")
            op.execute(f"CREATE VIRTUAL TABLE {name}_instances USING fts5vocab({name}_fts, 'instance')")
    else:
        for name, _ in _OF_SPACE:
            op.execute(f"ALTER TABLE {name} ADD COLUMN terms tsvector")
            op.execute(f"CREATE INDEX {name}_terms ON {name} USING gin (terms)")


def _number(name: str, *, key: bool = False) -> sa.Column[int]:
    kind = sa.Integer() if op.get_bind().dialect.name == "sqlite" else sa.BigInteger()
    return sa.Column(name, kind, primary_key=key, nullable=False)


def _own(name: str) -> tuple[SchemaItem, ...]:
    # SQLite: the number is the row id. PostgreSQL: the space leads, so that the table can be cut by it.
    key = (name,) if op.get_bind().dialect.name == "sqlite" else ("space_id", name)
    return (_text("space_id"), _number(name), sa.PrimaryKeyConstraint(*key))


def _tables() -> None:
    _conversations()
    _memories()
    _rest()


def _conversations() -> None:
    op.create_table("spaces", _text("space_id", key=True), _text("name"), _text("created_at"), _maybe("details"))
    op.create_table(
        "threads",
        *_own("thread_pk"),
        *map(_text, ("thread_id", "uuid", "title", "summary", "source")),
        *map(_maybe, ("project", "workspace", "tool_version", "participants", "metadata")),
        *map(_maybe, ("agent_id", "host_agent_id", "source_app")),
        sa.Column("message_count", sa.Integer, nullable=False),
        _number("term_count"),
        _maybe("last_activity"),
        *map(_text, ("import_date", "created_at", "updated_at")),
        sa.UniqueConstraint("space_id", "thread_id"),
        sa.UniqueConstraint("space_id", "uuid"),
    )
    op.create_table(
        "messages",
        *_own("message_pk"),
        _number("thread_pk"),
        sa.Column("order_index", sa.Integer, nullable=False),
        *map(_text, ("role", "content")),
        *map(_maybe, ("timestamp", "external_id", "metadata")),
        sa.Column("term_count", sa.Integer, nullable=False),
        _text("created_at"),
        sa.UniqueConstraint("space_id", "thread_pk", "order_index"),
    )


def _memories() -> None:
    op.create_table(
        "memories",
        *_own("memory_pk"),
        *map(_text, ("memory_id", "title", "content")),
        _maybe("unit_type"),
        sa.Column("importance", sa.Float, nullable=False),
        sa.Column("confidence", sa.Float, nullable=True),
        *map(_maybe, ("source", "source_app", "source_thread", "event_start", "event_end", "temporal_context")),
        _maybe("metadata"),
        sa.Column("term_count", sa.Integer, nullable=False),
        *map(_text, ("created_at", "updated_at")),
        sa.UniqueConstraint("space_id", "memory_id"),
    )
    op.create_table(
        "labels",
        *(_text(name, key=True) for name in ("space_id", "label_id")),
        _text("name"),
        *map(_maybe, ("color", "description")),
        _text("created_at"),
        sa.UniqueConstraint("space_id", "name"),
    )
    op.create_table(
        "memory_labels",
        _text("space_id", key=True),
        _number("memory_pk", key=True),
        _text("label_id", key=True),
    )


def _rest() -> None:
    op.create_table(
        "idempotency",
        *(_text(name, key=True) for name in ("space_id", "scope", "key")),
        *map(_text, ("request_hash", "response", "created_at")),
    )
    op.create_table(
        "working_memory",
        *(_text(name, key=True) for name in ("space_id", "date")),
        *map(_text, ("content", "updated_at")),
    )
    op.create_table(
        "api_keys",
        _text("key_id", key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        _text("digest"),
        _maybe("spaces"),
        sa.Column("read_only", sa.Integer, nullable=False),
        _text("created_at"),
        _maybe("revoked_at"),
    )
    op.create_table("settings", _text("name", key=True), _text("value"))


def _text(name: str, *, key: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, primary_key=key, nullable=False)


def _maybe(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=True)


def _indexes() -> None:
    known = sa.text("external_id IS NOT NULL")
    op.create_index(
        "messages_external",
        "messages",
        ["space_id", "thread_pk", "external_id"],
        unique=True,
        sqlite_where=known,
        postgresql_where=known,
    )
    op.create_index("threads_by_import", "threads", ["space_id", "import_date", "thread_pk"])
    op.create_index("threads_by_source", "threads", ["space_id", "source", "import_date", "thread_pk"])
    op.create_index("memories_by_time", "memories", ["space_id", "created_at", "memory_pk"])
    op.create_index("memory_labels_by_label", "memory_labels", ["space_id", "label_id", "memory_pk"])
