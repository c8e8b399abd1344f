"""Bringing a conversation to a server: what is new of it, each message once and in order."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from freehold.archive import failure
from freehold.archive.client import ArchiveClient
from freehold.archive.cursors import Cursor, Cursors
from freehold.archive.schemas import Ack, Message
from freehold.archive.sessions.conversation import Conversation, external_id, wire
from freehold.errors import UsageError

# In one request, so that no server's limit on bodies is met: a message has 20,000 characters at most.
_MOST_MESSAGES = 100
_MOST_CHARACTERS = 400_000
_UNKNOWN = -1
_MOST_BEGINNINGS = 2


@dataclass(frozen=True, slots=True)
class Delivered:
    """What a delivery did: how many messages the server took as new, and whether the thread is new there."""

    added: int
    created: bool


class Delivery:
    """Delivers to the server behind `client`, whose cursors are kept under `backend`."""

    def __init__(self, client: ArchiveClient, cursors: Cursors, backend: str) -> None:
        self._client = client
        self._cursors = cursors
        self._backend = backend

    async def __call__(self, conversation: Conversation) -> Delivered:
        """Send what the server has not acknowledged yet; raises what the client does.

        Raises `UsageError` (`conflict`) where a thread of that id was made by a program that names its messages
        otherwise: ours would stand there twice.
        """
        cursor = self._known(conversation)
        added, created, begun = 0, False, 0
        while cursor is None or cursor.sent < len(conversation.messages):
            if cursor is None:
                begun += 1
                if begun > _MOST_BEGINNINGS:
                    raise failure.broken(self._client.server, "says that a thread is there and that it is not")
                cursor, ack = await self._begin(conversation)
                created = ack is not None
            else:
                cursor, ack = await self._go_on(conversation, cursor)
            added += ack.added if ack else 0
            if cursor is not None:
                self._cursors.put(self._backend, conversation.thread_id, cursor)
        return Delivered(added, created)

    def _known(self, conversation: Conversation) -> Cursor | None:
        """Return how far the thread is. Where what was sent is not how the session begins, it is sent anew."""
        cursor = self._cursors.get(self._backend, conversation.thread_id)
        if cursor is None or not cursor.sent:
            return cursor
        sent = conversation.messages[: cursor.sent]
        fits = len(sent) == cursor.sent and external_id(sent[-1]) == cursor.last
        return cursor if fits else replace(cursor, sent=0, remote=_UNKNOWN, last="")

    async def _begin(self, conversation: Conversation) -> tuple[Cursor, Ack | None]:
        """Make the thread with its first messages, or find that it is there."""
        epoch = secrets.token_hex(8)
        batch = _batch(conversation.messages)
        try:
            ack = await self._client.create_thread({**conversation.head(), "messages": list(map(wire, batch))})
        except UsageError as error:
            if not _exists(error):
                raise
            await self._see_that_it_is_ours(conversation)
            return Cursor(0, _UNKNOWN, "", epoch), None
        return Cursor(len(batch), ack.total, external_id(batch[-1]), epoch), ack

    async def _go_on(self, conversation: Conversation, cursor: Cursor) -> tuple[Cursor | None, Ack | None]:
        """Send the next messages. None for a cursor where the server has no such thread any more."""
        batch = _batch(conversation.messages[cursor.sent :])
        body: dict[str, Any] = {"messages": list(map(wire, batch)), "deduplicate": True}
        if cursor.remote != _UNKNOWN:
            body["expected_message_count"] = cursor.remote
            body["idempotency_key"] = f"{conversation.thread_id}:{cursor.epoch}:{cursor.sent}:{external_id(batch[-1])}"
        try:
            ack = await self._client.append(conversation.thread_id, body)
        except UsageError as error:
            if error.code == "not_found":
                return None, None
            if error.code != "checkpoint_conflict" or cursor.remote == _UNKNOWN:
                raise
            # Somebody else wrote there: all of it once more, without a count; the server knows what it has.
            return replace(cursor, sent=0, remote=_UNKNOWN, last=""), None
        sent = cursor.sent + len(batch)
        whole = sent == len(conversation.messages)
        if cursor.remote != _UNKNOWN and not ack.checkpointed and ack.total < sent:
            # A server without checkpoints has lost what it acknowledged before.
            return replace(cursor, sent=0, remote=_UNKNOWN, last=""), ack
        # While all of it is sent once more, the count says nothing of where we are until the end.
        remote = ack.total if whole or cursor.remote != _UNKNOWN else _UNKNOWN
        return Cursor(sent, remote, external_id(batch[-1]), cursor.epoch), ack

    async def _see_that_it_is_ours(self, conversation: Conversation) -> None:
        if conversation.source == "pi":
            return  # nmem's own package for Pi names messages as we do
        page = await self._client.thread(conversation.thread_id, limit=1)
        theirs = [message.metadata.get("external_id") for message in page.messages]
        if theirs and theirs != [external_id(conversation.messages[0])]:
            message = (
                f"The archive has a thread {conversation.thread_id} already, made by another program, and it is left "
                "as it is. Delete it there to have it archived anew."
            )
            raise UsageError("conflict", message, {"thread_id": conversation.thread_id})


def _batch(messages: Sequence[Message]) -> list[Message]:
    batch: list[Message] = []
    size = 0
    for message in messages[:_MOST_MESSAGES]:
        size += len(message.content)
        if batch and size > _MOST_CHARACTERS:
            break
        batch.append(message)
    return batch


def _exists(error: UsageError) -> bool:
    """Whether a new thread was refused because it is there: 409, or 422 with words for it on older servers."""
    return error.data.get("status") == 409 or "already exists" in str(error.data.get("detail", "")).lower()
