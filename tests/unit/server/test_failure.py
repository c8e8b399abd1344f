"""What SQLite's real errors are answered with."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import SQLAlchemyError

from freehold.errors import UnavailableError
from freehold.server.app import create_app
from freehold.server.store import failure


def run(engine: Engine, statements: tuple[str, ...]) -> None:
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
            connection.commit()


def told(file: Path, *statements: str) -> tuple[int, str, bool]:
    """Run statements until one fails; return what a client is told of it."""
    engine = create_engine(f"sqlite:///{file}", connect_args={"timeout": 0})
    try:
        with pytest.raises(SQLAlchemyError) as raised:
            run(engine, statements)
    finally:
        engine.dispose()
    fault = failure.fault(raised.value)
    return fault.status, fault.code, fault.retryable


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "a.db"
    connection = sqlite3.connect(made)
    connection.execute("CREATE TABLE t (x)")
    connection.commit()
    connection.close()
    return made


def test_a_full_disk_is_no_use_trying_again(file: Path) -> None:
    filling = "INSERT INTO t SELECT randomblob(100000) FROM t2"
    made = ("PRAGMA max_page_count = 5", "CREATE TABLE t2 AS SELECT 1", filling)
    assert told(file, *made) == (507, "database_failed", False)


def test_a_read_only_database_is_no_use_trying_again(file: Path) -> None:
    assert told(file, "PRAGMA query_only = 1", "INSERT INTO t VALUES (1)") == (503, "database_failed", False)


def test_a_damaged_file_is_no_use_trying_again(file: Path) -> None:
    file.write_bytes(b"no database at all" * 100)
    assert told(file, "SELECT * FROM t") == (503, "database_failed", False)


def test_a_locked_database_may_be_asked_again(file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert told(file, "INSERT INTO t VALUES (1)") == (503, "database_failed", True)
    other.close()


def test_what_nobody_foresaw_is_a_fault_of_the_server(file: Path) -> None:
    status, code, retryable = told(file, "SELECT * FROM nowhere")
    assert (code, retryable) in {("server_error", False), ("database_failed", True)}
    assert status in {500, 503}


def test_an_application_over_a_damaged_file_says_so_when_it_is_made(file: Path) -> None:
    file.write_bytes(b"no database at all" * 100)
    with pytest.raises(UnavailableError) as raised:
        create_app(file)
    assert raised.value.code == "database_failed"
