"""The schema spreads by space: hash partitions on one PostgreSQL, and on several servers, one of them stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.exc import SQLAlchemyError

from freehold.server.schemas.threads import Message, Thread
from freehold.server.search import thread_search
from freehold.server.store import threads
from freehold.server.store.appending import Batch
from freehold.server.store.archive import Archive
from tests import postgres

TABLES = ("threads", "messages")
SPACES = [f"space{at}" for at in range(12)]


def fill(archive: Archive, spaces: list[str]) -> None:
    for space_id in spaces:
        with archive.database.writing() as connection:
            said = [Message(content=f"hello from {space_id}", external_id="e")]
            threads.create(connection, archive, space_id, Thread(thread_id="t", messages=said), Batch(said))


def found(archive: Archive, space_id: str) -> list[str]:
    with archive.database.reading() as connection:
        answer = thread_search.search(connection, archive, space_id, "hello", limit=10)
        return [match["snippet"] for thread in answer["threads"] for match in thread["matched_messages"]]


def partitioned(address: str, makes: list[sql.Composed]) -> None:
    """Make of each table one that is partitioned by the hash of its space."""
    with psycopg.connect(address, autocommit=True) as connection:
        for table in TABLES:
            own, old = sql.Identifier(table), sql.Identifier(f"{table}_old")
            connection.execute(sql.SQL("ALTER TABLE {} RENAME TO {}").format(own, old))
            made = "CREATE TABLE {} (LIKE {} INCLUDING DEFAULTS) PARTITION BY HASH (space_id)"
            connection.execute(sql.SQL(made).format(own, old))
        for make in makes:
            connection.execute(make)


def test_every_key_of_a_space_leads_with_it(postgres_server: postgres.Server) -> None:
    with postgres_server.database() as address:
        archive = Archive(address)
        archive.open()
        archive.close()
        with psycopg.connect(address) as connection:
            keys = connection.execute(
                "SELECT c.relname, i.indisunique, a.attname FROM pg_index i "
                "JOIN pg_class c ON c.oid = i.indrelid "
                "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] "
                "WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique"
            ).fetchall()
    of_no_space = {"api_keys", "settings", "alembic_version"}
    leads = {table: first for table, _, first in keys if table not in of_no_space}
    assert set(leads.values()) == {"space_id"}
    assert set(leads) >= {"threads", "messages", "memories", "labels", "idempotency"}


def test_the_same_statements_work_on_hash_partitions(postgres_server: postgres.Server) -> None:
    with postgres_server.database() as address:
        archive = Archive(address)
        archive.open()
        make = "CREATE TABLE {} PARTITION OF {} FOR VALUES WITH (MODULUS 4, REMAINDER {})"
        makes = [
            sql.SQL(make).format(sql.Identifier(f"{table}_{at}"), sql.Identifier(table), sql.Literal(at))
            for table in TABLES
            for at in range(4)
        ]
        partitioned(address, makes)
        fill(archive, SPACES)
        for space_id in SPACES:
            assert found(archive, space_id) == [f"hello from {space_id}"]
        archive.close()
        with psycopg.connect(address) as connection:
            used = connection.execute("SELECT count(DISTINCT tableoid) FROM messages").fetchone()
    assert used is not None
    assert used[0] > 1


@dataclass(frozen=True, slots=True)
class Shard:
    server: postgres.Server
    address: str
    name: str


def shards(stack: ExitStack, count: int) -> Iterator[Shard]:
    """Start servers that have the tables."""
    for at in range(count):
        server = stack.enter_context(postgres.server())
        address = stack.enter_context(server.database())
        archive = Archive(address)
        archive.open()
        archive.close()
        yield Shard(server, address, f"shard{at}")


def joined(every: list[Shard]) -> list[sql.Composed]:
    """Return what makes the partitions foreign tables of the shards."""
    made = [sql.SQL("CREATE EXTENSION postgres_fdw").format()]
    for shard in every:
        name, database = sql.Identifier(shard.name), shard.address.split("/")[3].split("?")[0]
        options = sql.SQL("OPTIONS (host {}, dbname {}, connect_timeout '2')").format(
            sql.Literal(str(shard.server.folder)), sql.Literal(database)
        )
        made.append(sql.SQL("CREATE SERVER {} FOREIGN DATA WRAPPER postgres_fdw {}").format(name, options))
        mapping = "CREATE USER MAPPING FOR CURRENT_USER SERVER {} OPTIONS (user 'postgres')"
        made.append(sql.SQL(mapping).format(name))
    part = (
        "CREATE FOREIGN TABLE {} PARTITION OF {} FOR VALUES WITH (MODULUS {}, REMAINDER {}) "
        "SERVER {} OPTIONS (table_name {})"
    )
    for table in TABLES:
        for at, shard in enumerate(every):
            names = (sql.Identifier(f"{table}_{at}"), sql.Identifier(table), sql.Literal(len(every)), sql.Literal(at))
            made.append(sql.SQL(part).format(*names, sql.Identifier(shard.name), sql.Literal(table)))
    return made


@pytest.mark.long
def test_a_stopped_server_takes_only_its_own_spaces_with_it() -> None:
    with ExitStack() as stack:
        first, *others = shards(stack, 3)
        partitioned(first.address, joined(others))
        archive = Archive(first.address)
        stack.callback(archive.close)
        fill(archive, SPACES)
        for space_id in SPACES:
            assert found(archive, space_id) == [f"hello from {space_id}"]
        with psycopg.connect(others[1].address) as connection:
            gone = {row[0] for row in connection.execute("SELECT space_id FROM threads").fetchall()}
        assert gone
        assert gone < set(SPACES)
        others[1].server.stop()
        for space_id in SPACES:
            if space_id in gone:
                with pytest.raises(SQLAlchemyError):
                    found(archive, space_id)
            else:
                assert found(archive, space_id) == [f"hello from {space_id}"]
        others[1].server.start()
        for space_id in SPACES:
            assert found(archive, space_id) == [f"hello from {space_id}"]
