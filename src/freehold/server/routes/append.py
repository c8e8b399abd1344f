"""`/threads/{id}/append`: messages for the end of a conversation."""

from __future__ import annotations

from typing import Any

from freehold.server.faults import bad_request, unprocessable
from freehold.server.operation import Call, Operation
from freehold.server.schemas.threads import Append
from freehold.server.store import appending
from freehold.server.store.appending import Batch

NO_FILES = "A server reads no files for its clients: `file_path` is refused. Send the conversation as `messages`."


async def append(call: Call) -> Any:
    """Add messages, each once."""
    given: Append = call.body
    if given.file_path is not None:
        raise bad_request(NO_FILES)
    if given.messages is None:
        raise unprocessable("Failed to deserialize the JSON body into the target type: missing field `messages`")
    batch = Batch(given.messages, given.deduplicate, given.idempotency_key or "", given.expected_message_count)
    return await call.write(appending.append, call.space, call.path["thread_id"], batch)


OPERATIONS = (
    Operation(
        method="POST",
        path="/threads/{thread_id}/append",
        handler=append,
        body=Append,
        access="write",
        summary="Append messages to a thread",
    ),
)
