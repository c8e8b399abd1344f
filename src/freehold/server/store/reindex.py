"""Writing the search indexes anew from the rows: after a change of the analyzer, or where they were found wanting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from freehold.server.index.search_index import Document, SearchIndex
from freehold.server.store import document, settings, walk
from freehold.server.store.tables import memories, memory_labels, messages, threads
from freehold.text import analyzer

_SETTING = "analyzer"


def written_by(connection: Connection) -> str | None:
    """Return the version of the analyzer that wrote the indexes, None where nothing was written yet."""
    return settings.read(connection, _SETTING)


def all_of(connection: Connection, of_messages: SearchIndex, of_threads: SearchIndex, of_memories: SearchIndex) -> int:
    """Write all three indexes anew, and the lengths that ranking needs; return how many documents there are."""
    count = 0
    sums: defaultdict[tuple[str, int], int] = defaultdict(int)
    of_messages.clear(connection)
    for documents, thread_numbers in message_documents(connection):
        of_messages.add(connection, documents)
        _set_lengths(connection, messages, "message_pk", documents)
        for each, thread in zip(documents, thread_numbers, strict=True):
            sums[each.space_id, thread] += document.length(each)
        count += len(documents)
    of_threads.clear(connection)
    for documents in thread_documents(connection):
        of_threads.add(connection, documents)
        _set_sums(connection, documents, sums)
        count += len(documents)
    of_memories.clear(connection)
    for documents in memory_documents(connection):
        of_memories.add(connection, documents)
        _set_lengths(connection, memories, "memory_pk", documents)
        count += len(documents)
    settings.write(connection, _SETTING, analyzer.VERSION)
    return count


def message_documents(connection: Connection) -> Iterator[tuple[list[Document], list[int]]]:
    """Yield the documents of all messages in batches, with the numbers of their threads."""
    sources = _sources(connection)
    columns = (messages.c.space_id, messages.c.message_pk, messages.c.thread_pk, messages.c.content)
    for rows in walk.batches(connection, messages, "message_pk", columns):
        found = [
            document.of_message(
                row["space_id"], row["message_pk"], row["content"], sources.get((row["space_id"], row["thread_pk"]), "")
            )
            for row in rows
        ]
        yield found, [row["thread_pk"] for row in rows]


def thread_documents(connection: Connection) -> Iterator[list[Document]]:
    """Yield the documents of all threads' titles and summaries in batches."""
    columns = (threads.c.space_id, threads.c.thread_pk, threads.c.title, threads.c.summary, threads.c.source)
    for rows in walk.batches(connection, threads, "thread_pk", columns):
        yield [document.of_thread(*row.values()) for row in rows]


def memory_documents(connection: Connection) -> Iterator[list[Document]]:
    """Yield the documents of all memories in batches."""
    labels: defaultdict[int, list[str]] = defaultdict(list)
    for number, label_id in connection.execute(select(memory_labels.c.memory_pk, memory_labels.c.label_id)):
        labels[number].append(label_id)
    for rows in walk.batches(connection, memories, "memory_pk", list(memories.c)):
        yield [document.of_memory(row, labels[row["memory_pk"]]) for row in rows]


def _sources(connection: Connection) -> dict[tuple[str, int], str]:
    columns = (threads.c.space_id, threads.c.thread_pk, threads.c.source)
    return {(space_id, number): source for space_id, number, source in connection.execute(select(*columns))}


def _set_lengths(connection: Connection, table: Any, number: str, documents: list[Document]) -> None:
    rows = [{"of_space": each.space_id, "of": each.number, "terms": document.length(each)} for each in documents]
    where = (table.c.space_id == bindparam("of_space"), table.c[number] == bindparam("of"))
    connection.execute(update(table).where(*where).values(term_count=bindparam("terms")), rows)


def _set_sums(connection: Connection, documents: list[Document], sums: dict[tuple[str, int], int]) -> None:
    rows = [
        {"of_space": each.space_id, "of": each.number, "terms": sums.get((each.space_id, each.number), 0)}
        for each in documents
    ]
    where = (threads.c.space_id == bindparam("of_space"), threads.c.thread_pk == bindparam("of"))
    connection.execute(update(threads).where(*where).values(term_count=bindparam("terms")), rows)
