"""Saving a whole archive to one file while it is in use, and making one from it: the same file for both databases.

The file is gzip of JSON lines: a head, then each row as `[table, row]`, then an end that says how many there are. The
search indexes are not in it; they are written anew.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select

from freehold import __version__
from freehold.errors import UnavailableError, UsageError
from freehold.server.store import reindex, tables, walk
from freehold.server.store.archive import Archive
from freehold.server.store.archive_time import now

Row = dict[str, Any]

_FORM = "freehold-archive"
_VERSION = 1
_NUMBERED = {"threads": "thread_pk", "messages": "message_pk", "memories": "memory_pk"}
_TABLES = (
    tables.spaces,
    tables.threads,
    tables.messages,
    tables.memories,
    tables.labels,
    tables.memory_labels,
    tables.idempotency,
    tables.working_memory,
    tables.api_keys,
)


class _Head(msgspec.Struct):
    form: str
    version: int


class _End(msgspec.Struct):
    end: int


def save(archive: Archive, file: Path, *, progress: Callable[[int], None] | None = None) -> int:
    """Write all rows, as they are at one moment, to `file` (0600); return how many.

    The file is complete or not there. `progress` is told how many rows were written. Raises `UnavailableError`
    (`disk_full`, `store_read_only`) where it cannot be written.
    """
    part = file.with_name(f".{file.name}.part")
    try:
        with archive.database.reading() as connection:
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as raw:
                with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=5, mtime=0) as packed:
                    count = _write(connection, packed, progress)
                raw.flush()
                os.fsync(raw.fileno())
        part.replace(file)
        return count
    except OSError as error:
        code = "disk_full" if error.errno == 28 else "store_read_only"
        raise UnavailableError(code, f"{file} cannot be written: {error.strerror}. Choose another place.") from error
    finally:
        part.unlink(missing_ok=True)


def _write(connection: Connection, packed: gzip.GzipFile, progress: Callable[[int], None] | None) -> int:
    encode = msgspec.json.Encoder().encode
    head = {"form": _FORM, "version": _VERSION, "freehold": __version__, "saved_at": now()}
    packed.write(encode(head) + b"\n")
    count = 0
    for table in _TABLES:
        for rows in _batches(connection, table):
            packed.write(b"".join(encode([str(table.name), _plain(row)]) + b"\n" for row in rows))
            count += len(rows)
            if progress:
                progress(count)
    packed.write(encode({"end": count}) + b"\n")
    return count


def _plain(row: Row) -> Row:
    # SQLAlchemy's names of columns are of a kind of text that msgspec does not take.
    return {str(name): value for name, value in row.items()}


def _batches(connection: Connection, table: Any) -> Iterator[list[Row]]:
    if number := _NUMBERED.get(table.name):
        yield from walk.batches(connection, table, number, list(table.c))
    else:
        yield [dict(row) for row in connection.execute(select(table)).mappings()]


def restore(archive: Archive, file: Path, *, progress: Callable[[int], None] | None = None) -> int:
    """Fill an empty archive from `file` in one transaction; return how many rows.

    Raises `UsageError`: `invalid_argument` for a file that is no backup or is cut short, `conflict` for an archive that
    is not empty, `file_not_found`.
    """
    with archive.database.writing() as connection:
        filled = [
            table.name for table in _TABLES if connection.execute(select(func.count()).select_from(table)).scalar()
        ]
        if filled:
            message = f"{archive.database.name} is not empty: it has {', '.join(filled)}. Restore into a new database."
            raise UsageError("conflict", message)
        count = _fill(connection, file, progress)
        reindex.all_of(connection, archive.messages, archive.threads, archive.memories)
    return count


def _fill(connection: Connection, file: Path, progress: Callable[[int], None] | None) -> int:
    by_name = {table.name: table for table in _TABLES}
    count, ended, pending, of = 0, -1, list[Row](), ""
    # To the very end: gzip tells only there whether all of it is as it was written.
    for line in _lines(file):
        if isinstance(line, _End):
            ended = line.end
            continue
        name, row = line
        if name not in by_name or ended >= 0:
            raise _damaged(file)
        if pending and (name != of or len(pending) >= walk.BATCH):
            connection.execute(insert(by_name[of]), pending)
            pending = []
            if progress:
                progress(count)
        of = name
        pending.append(row)
        count += 1
    if ended != count:
        raise _damaged(file)
    if pending:
        connection.execute(insert(by_name[of]), pending)
    return count


def _lines(file: Path) -> Iterator[tuple[str, Row] | _End]:
    decode = msgspec.json.Decoder(tuple[str, Row]).decode
    try:
        with gzip.open(file, "rb") as packed:
            head = msgspec.json.decode(packed.readline(10_000), type=_Head)
            if (head.form, head.version) != (_FORM, _VERSION):
                raise _damaged(file)
            for line in packed:
                yield msgspec.json.decode(line, type=_End) if line.startswith(b"{") else decode(line)
    except FileNotFoundError as error:
        raise UsageError("file_not_found", f"There is no file {file}.") from error
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, ValueError) as error:
        raise _damaged(file) from error


def _damaged(file: Path) -> UsageError:
    message = f"{file} is no whole backup of Freehold's archive. Make one with: freehold serve backup FILE."
    return UsageError("invalid_argument", message)
