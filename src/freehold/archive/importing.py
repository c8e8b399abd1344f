"""Bringing past sessions in, file by file: what was done stays done, and each that failed says why."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anyio import to_thread

from freehold.archive.client import ArchiveClient
from freehold.archive.cursors import Cursors, Stamp
from freehold.archive.delivery import Delivery
from freehold.archive.sessions import sources
from freehold.archive.sessions.conversation import Conversation
from freehold.errors import FreeholdError, UsageError

State = Literal["new", "grown", "same", "empty", "failed", "planned"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a session file. `added`: messages that the server took as new; `why`: for one that failed."""

    file: Path
    state: State
    threads: tuple[str, ...] = ()
    messages: int = 0
    added: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A session file and the agent that wrote it."""

    source: str
    file: Path


def sessions_of(source: str, files: Sequence[Path] = ()) -> list[Session]:
    """Return `files`, else every session of the agent `source`; raise `UsageError` for an agent that cannot be read."""
    found = sources.of(source)
    return [Session(source, file) for file in files or found.files()]


class Importing:
    """Imports into the server whose cursors are kept under `backend`. The files are only read."""

    def __init__(self, cursors: Cursors, backend: str) -> None:
        self._cursors = cursors
        self._backend = backend

    def open(self, sessions: Iterable[Session]) -> list[Session]:
        """Return those that are not archived as they now are."""
        return [one for one in sessions if not self._cursors.finished(self._backend, one.file)]

    async def plan(self, sessions: Iterable[Session]) -> AsyncIterator[Outcome]:
        """Say what each would bring, and change nothing."""
        for session in sessions:
            try:
                found = await _read(session)
            except FreeholdError as error:
                yield Outcome(session.file, "failed", why=error.message)
                continue
            yield _outcome(session, "planned" if found else "empty", found)

    async def run(self, client: ArchiveClient, sessions: Iterable[Session]) -> AsyncIterator[Outcome]:
        """Import each, in order.

        What one session is refused for is its outcome; a server that is gone ends all, and raises. Run again, it goes
        on where it was.
        """
        deliver = Delivery(client, self._cursors, self._backend)
        for session in sessions:
            self._cursors.know(session.source, session.file)
            try:
                yield await self._one(deliver, session)
            except UsageError as error:
                yield Outcome(session.file, "failed", why=error.message)

    async def _one(self, deliver: Delivery, session: Session) -> Outcome:
        stamp = Stamp.of(session.file)
        found = await _read(session)
        delivered = [await deliver(conversation) for conversation in found]
        if stamp is not None:
            self._cursors.finish(self._backend, session.file, stamp)
        added = sum(one.added for one in delivered)
        state: State = "new" if any(one.created for one in delivered) else "grown" if added else "same"
        return _outcome(session, state if found else "empty", found, added)


async def _read(session: Session) -> list[Conversation]:
    try:
        return await to_thread.run_sync(sources.of(session.source).conversations, session.file)
    except FreeholdError:
        raise
    except Exception as error:
        # Whatever another program wrote there: one file that cannot be understood must not keep the others out.
        message = f"{session.file} cannot be understood: {type(error).__name__}: {error}"
        raise UsageError("bad_request", message, {"path": str(session.file)}) from error


def _outcome(session: Session, state: State, found: Sequence[Conversation], added: int = 0) -> Outcome:
    messages = sum(len(one.messages) for one in found)
    return Outcome(session.file, state, tuple(one.thread_id for one in found), messages, added)
