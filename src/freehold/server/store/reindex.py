"""Writing the search indexes anew from the rows: after a change of the analyzer, or where they were found wanting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from freehold.server.index.search_index import Document, SearchIndex
from freehold.server.store import document, settings
from freehold.server.store.tables import memories, memory_labels, messages, threads
from freehold.text import analyzer

_BATCH = 1_000
_SETTING = "analyzer"


def written_by(connection: Connection) -> str | None:
    """Return the version of the analyzer that wrote the indexes, None where nothing was written yet."""
    return settings.read(connection, _SETTING)


def all_of(connection: Connection, of_messages: SearchIndex, of_threads: SearchIndex, of_memories: SearchIndex) -> int:
    """Write all three indexes anew; return how many documents there are."""
    count = _write(connection, of_messages, message_documents(connection))
    count += _write(connection, of_threads, thread_documents(connection))
    count += _write(connection, of_memories, memory_documents(connection))
    _recount(connection)
    settings.write(connection, _SETTING, analyzer.VERSION)
    return count


def message_documents(connection: Connection) -> Iterator[Document]:
    """Yield the document of every message."""
    columns = (messages.c.space_id, messages.c.message_pk, messages.c.content, threads.c.source)
    joined = messages.join(
        threads, (threads.c.space_id == messages.c.space_id) & (threads.c.thread_pk == messages.c.thread_pk)
    )
    for space_id, number, content, source in _rows(connection, select(*columns).select_from(joined)):
        yield document.of_message(space_id, number, content, source)


def thread_documents(connection: Connection) -> Iterator[Document]:
    """Yield the document of every thread's title and summary."""
    columns = (threads.c.space_id, threads.c.thread_pk, threads.c.title, threads.c.summary, threads.c.source)
    for row in _rows(connection, select(*columns)):
        yield document.of_thread(*row)


def memory_documents(connection: Connection) -> Iterator[Document]:
    """Yield the document of every memory."""
    labels: defaultdict[int, list[str]] = defaultdict(list)
    for number, label_id in connection.execute(select(memory_labels.c.memory_pk, memory_labels.c.label_id)):
        labels[number].append(label_id)
    for row in connection.execute(select(memories)).mappings().all():
        yield document.of_memory(dict(row), labels[row["memory_pk"]])


def _rows(connection: Connection, statement: Any) -> Iterable[Any]:
    return connection.execute(statement.execution_options(yield_per=_BATCH))


def _write(connection: Connection, index: SearchIndex, documents: Iterator[Document]) -> int:
    index.clear(connection)
    count = 0
    batch: list[Document] = []
    for each in documents:
        batch.append(each)
        if len(batch) >= _BATCH:
            index.add(connection, batch)
            count += len(batch)
            batch.clear()
    index.add(connection, batch)
    return count + len(batch)


def _recount(connection: Connection) -> None:
    """Put the lengths that ranking needs beside messages, memories and threads."""
    sums: defaultdict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0])
    columns = (messages.c.space_id, messages.c.thread_pk, messages.c.message_pk, messages.c.content)
    lengths: list[dict[str, Any]] = []
    for space_id, thread, number, content in connection.execute(select(*columns)).all():
        terms = document.length(document.of_message(space_id, number, content, ""))
        lengths.append({"of_space": space_id, "of": number, "terms": terms})
        sums[space_id, thread][0] += 1
        sums[space_id, thread][1] += terms
    _set(connection, messages, messages.c.message_pk, lengths)
    totals = [{"of_space": key[0], "of": key[1], "count": each[0], "terms": each[1]} for key, each in sums.items()]
    counted = {"message_count": bindparam("count"), "term_count": bindparam("terms")}
    if totals:
        connection.execute(
            update(threads)
            .where(threads.c.space_id == bindparam("of_space"), threads.c.thread_pk == bindparam("of"))
            .values(counted),
            totals,
        )


def _set(connection: Connection, table: Any, number: Any, lengths: list[dict[str, Any]]) -> None:
    if lengths:
        statement = update(table).where(table.c.space_id == bindparam("of_space"), number == bindparam("of"))
        connection.execute(statement.values(term_count=bindparam("terms")), lengths)
