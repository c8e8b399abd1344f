"""Whether an archive is whole: the database itself, what its rows say of each other, and the index against the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, func, select, update

from freehold.server.index.search_index import Document, SearchIndex
from freehold.server.store import reindex
from freehold.server.store.archive import Archive
from freehold.server.store.tables import memories, memory_labels, messages, threads


@dataclass(slots=True)
class Report:
    """What was looked at and what is wrong. `repaired`: what was put right."""

    documents: int = 0
    faults: list[str] = field(default_factory=list[str])
    repaired: list[str] = field(default_factory=list[str])

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong that was not put right."""
        return not self.faults or bool(self.repaired)


def check(archive: Archive, *, repair: bool = False) -> Report:
    """Look at everything; with `repair`, count threads anew and write the indexes anew where something is wrong."""
    with archive.database.reading() as connection:
        report = Report()
        report.faults += _integrity(connection)
        report.faults += _counts(connection)
        report.faults += _orphans(connection)
        for name, index, documents in _indexed(archive, connection):
            _compare(connection, report, name, index, documents)
    if repair and report.faults:
        with archive.database.writing() as connection:
            _mend(connection, archive)
        report.repaired = ["threads counted anew", "what belongs to nothing removed", "search indexes written anew"]
    return report


def _indexed(archive: Archive, connection: Connection) -> Iterator[tuple[str, SearchIndex, Iterable[list[Document]]]]:
    yield "messages", archive.messages, (some for some, _ in reindex.message_documents(connection))
    yield "threads", archive.threads, reindex.thread_documents(connection)
    yield "memories", archive.memories, reindex.memory_documents(connection)


def _integrity(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    rows = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
    return [f"SQLite: {row}" for row in rows if row != "ok"]


def _counts(connection: Connection) -> list[str]:
    """Return what is wrong in the numbers of messages: each thread's are 0, 1, 2, … without a gap."""
    columns = (messages.c.space_id, messages.c.thread_pk, func.count(), func.max(messages.c.order_index))
    grouped = select(*columns).group_by(messages.c.space_id, messages.c.thread_pk)
    there = {(space_id, number): (count, last) for space_id, number, count, last in connection.execute(grouped)}
    found: list[str] = []
    rows = connection.execute(
        select(threads.c.space_id, threads.c.thread_pk, threads.c.thread_id, threads.c.message_count)
    )
    for space_id, number, thread_id, told in rows:
        count, last = there.get((space_id, number), (0, -1))
        if count != told or last != count - 1:
            found.append(f"The thread {thread_id} says {told} messages and has {count}, the last one numbered {last}.")
    return found


def _orphans(connection: Connection) -> list[str]:
    statement = select(func.count()).select_from(messages).where(_without_thread())
    count = connection.execute(statement).scalar_one()
    labelled = connection.execute(select(func.count()).select_from(memory_labels).where(_without_memory())).scalar_one()
    found = [f"{count} messages belong to no thread."] if count else []
    return found + ([f"{labelled} labels are given to no memory."] if labelled else [])


def _without_thread() -> ColumnElement[bool]:
    same = (threads.c.space_id == messages.c.space_id) & (threads.c.thread_pk == messages.c.thread_pk)
    return ~select(threads.c.thread_pk).where(same).exists()


def _without_memory() -> ColumnElement[bool]:
    same = (memories.c.space_id == memory_labels.c.space_id) & (memories.c.memory_pk == memory_labels.c.memory_pk)
    return ~select(memories.c.memory_pk).where(same).exists()


def _compare(
    connection: Connection, report: Report, name: str, index: SearchIndex, documents: Iterable[list[Document]]
) -> None:
    """Compare an index with the rows: each has its document, with its very terms, and there is no other document."""
    count = wrong = 0
    for some in documents:
        count += len(some)
        wrong += len(index.differing(connection, some))
    report.documents += count
    if wrong:
        report.faults.append(f"{wrong} of {count} {name} are not indexed as they are.")
    if (held := index.size(connection)) != count:
        report.faults.append(f"The index of {name} holds {held} documents, and there are {count}.")


def _mend(connection: Connection, archive: Archive) -> None:
    connection.execute(messages.delete().where(_without_thread()))
    connection.execute(memory_labels.delete().where(_without_memory()))
    _renumber(connection)
    own = (messages.c.space_id == threads.c.space_id) & (messages.c.thread_pk == threads.c.thread_pk)
    count = select(func.count()).select_from(messages).where(own).scalar_subquery()
    connection.execute(update(threads).values(message_count=count))
    reindex.all_of(connection, archive.messages, archive.threads, archive.memories)


def _renumber(connection: Connection) -> None:
    """Close the gaps in threads' messages, keeping their order."""
    columns = (messages.c.space_id, messages.c.thread_pk)
    broken = select(*columns).group_by(*columns).having(func.max(messages.c.order_index) != func.count() - 1)
    for space_id, thread in connection.execute(broken).all():
        where = (messages.c.space_id == space_id, messages.c.thread_pk == thread)
        numbers = connection.execute(
            select(messages.c.message_pk).where(*where).order_by(messages.c.order_index)
        ).scalars()
        # Upwards, so that no two bear one number meanwhile.
        for at, number in enumerate(numbers.all()):
            one = (messages.c.space_id == space_id, messages.c.message_pk == number)
            connection.execute(update(messages).where(*one).values(order_index=at))
