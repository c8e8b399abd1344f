"""What the server answers when it cannot do what was asked: status, sentence, stable code, and whether to retry."""

from __future__ import annotations

from typing import Any

# A client that was told to come back does so after this many seconds.
RETRY_AFTER = 2


class Fault(Exception):  # noqa: N818 - nmem's word for it is error_code; an answer is not a failure of the server
    """An answer that is not the one asked for.

    `status`: the HTTP status. `code`: what machines read as `error_code`. `retryable`: the same request may work later.
    `more`: further fields of the body.
    """

    def __init__(self, status: int, code: str, detail: str, *, retryable: bool = False, **more: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.retryable = retryable
        self.more = more

    def body(self) -> dict[str, Any]:
        """Return the JSON body, in the shape that nmem's clients read."""
        return {"detail": self.detail, "error_code": self.code, "retryable": self.retryable, **self.more}


def bad_request(detail: str) -> Fault:
    """Return the answer to a request that makes no sense, whatever the archive holds."""
    return Fault(400, "bad_request", detail)


def unprocessable(detail: str) -> Fault:
    """Return the answer to a body or a parameter that cannot be read; clients parse its text."""
    return Fault(422, "bad_request", detail)


def thread_not_found() -> Fault:
    """Return the answer for a thread that is not in the space."""
    return Fault(404, "thread_not_found", "Thread not found")


def memory_not_found(memory_id: str) -> Fault:
    """Return the answer for a memory that is not in the space."""
    return Fault(404, "memory_not_found", f"Memory not found: {memory_id}")


def checkpoint_conflict(expected: int, actual: int) -> Fault:
    """Return the answer to an append whose client expected another number of messages; nothing was written."""
    detail = (
        f"The thread has {actual} messages, not the expected {expected}. Read it again, or append without "
        "expected_message_count: messages that are there already are left out."
    )
    return Fault(409, "checkpoint_conflict", detail, total_messages=actual, expected_message_count=expected)
