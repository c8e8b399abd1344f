"""Numbers, migrations and the uid of a connection."""

from __future__ import annotations

import os
import socket
import sys
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from freehold.server import peer
from freehold.server.store import schema, tables
from freehold.server.store.database import Database
from freehold.server.store.numbers import Numbers


def test_numbers_rise_and_none_is_given_out_twice() -> None:
    numbers = Numbers()
    taken: list[int] = []

    def take() -> None:
        own = [number for _ in range(200) for number in numbers.take(7)]
        assert own == sorted(own)
        taken.extend(own)

    workers = [threading.Thread(target=take) for _ in range(4)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert len(set(taken)) == len(taken) == 4 * 200 * 7
    assert max(taken) < 2**63


def test_the_migrations_make_the_tables_that_the_statements_name(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.db")
    database.open()
    with database.reading() as connection:
        there = {
            name: {column["name"] for column in inspect(connection).get_columns(name)}
            for name in tables.metadata.tables
        }
        differences = compare_metadata(MigrationContext.configure(connection), tables.metadata)
    database.close()
    assert there == {name: {column.name for column in table.columns} for name, table in tables.metadata.tables.items()}
    assert [each for each in differences if each[0] == "add_table"] == []


def test_the_head_is_the_last_migration() -> None:
    folder = Path(schema.__file__).parent.parent / "migrations"
    assert ScriptDirectory(str(folder)).get_current_head() == schema.HEAD


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the tables")
@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_the_user_at_the_other_end_of_a_connection_is_known(family: socket.AddressFamily, host: str) -> None:
    with socket.socket(family) as listener:
        try:
            listener.bind((host, 0))
        except OSError:
            pytest.skip(f"this machine has no {host}")
        listener.listen()
        with socket.create_connection(listener.getsockname()[:2]) as client:
            ends = client.getsockname()[:2], listener.getsockname()[:2]
            assert peer.uid_of(*ends) == os.getuid()
            assert peer.uid_of(ends[0], (host, 1)) is None
    assert peer.uid_of(*ends) is None


def test_loopback_is_told_from_the_rest() -> None:
    for host in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"):
        assert peer.is_loopback(host)
    for host in ("0.0.0.0", "192.168.0.1", "::", "localhost.example", ""):
        assert not peer.is_loopback(host)
