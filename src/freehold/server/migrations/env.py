"""What alembic runs: the migrations of the database whose connection `store.schema` hands over."""

from __future__ import annotations

from alembic import context

from freehold.server.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
