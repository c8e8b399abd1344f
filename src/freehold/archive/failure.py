"""What can go wrong between us and an archive's server, in Freehold's codes and with the next step."""

from __future__ import annotations

from typing import Any

import msgspec

from freehold.errors import FAMILIES, FreeholdError, InternalError, UnavailableError

_DOCTOR = "freehold doctor says which server is used and why"
_NEXT = {
    "unauthorized": "Ask the user to correct NMEM_API_KEY, or apiKey in ~/.nowledge-mem/config.json",
    "not_found": "Take an id from nmem_search or nmem_list_threads",
    "bad_request": "Correct what it names and call again",
    "checkpoint_conflict": "Read the thread's message count again",
    "server_error": f"Try again later; {_DOCTOR}",
}
_LONGEST = 500
"""Characters of a server's own words that an error repeats."""


def unreachable(server: str, reason: str) -> UnavailableError:
    """Nothing answers at `server`."""
    message = f"The archive ({server}) does not answer ({reason}). Ask the user to start it; {_DOCTOR}."
    return UnavailableError("backend_unreachable", message, {"server": server})


def too_slow(server: str, seconds: float, *, repeatable: bool) -> UnavailableError:
    """`server` took longer than `seconds`."""
    then = "Try again" if repeatable else "It may have been done all the same: look (nmem_search) before you repeat it"
    message = f"The archive ({server}) did not answer within {seconds:g} s. {then}."
    return UnavailableError("timeout", message, {"server": server, "seconds": seconds})


def broken(server: str, what: str) -> UnavailableError:
    """`server` answered, but not as its contract says."""
    message = f"The archive ({server}) {what}. {_NEXT['server_error']}."
    return UnavailableError("server_error", message, {"server": server})


def refused(server: str, status: int, body: bytes) -> FreeholdError:
    """Name the error of an answer with `status`, 400 or above.

    `data` holds `status`, the server's own `error_code`, `retryable` and `total_messages` where it sent them, and
    `detail`, its words. A bad body is answered in plain text by some servers.
    """
    fields = _fields(body)
    detail = _detail(fields, body)
    code = _code(status, str(fields.get("error_code") or ""))
    said = f": {detail}" if detail else ""
    message = f"The archive ({server}) answered {status}{said}. {_NEXT[code]}."
    kept = {key: fields[key] for key in ("error_code", "retryable", "total_messages") if key in fields}
    data = {"server": server, "status": status, "detail": detail, **kept}
    return FAMILIES.get(code, InternalError)(code, message, data)


def transient(error: FreeholdError) -> bool:
    """Whether the same request may succeed a moment later: nothing answered, too slow, cut off, or a 5xx."""
    if error.code in {"timeout", "backend_unreachable"}:
        return True
    status = int(error.data.get("status") or 0)
    return error.code == "server_error" and (error.data.get("cut", False) or status >= 500)


def _code(status: int, error_code: str) -> str:
    if error_code == "checkpoint_conflict":
        return error_code
    named = {401: "unauthorized", 403: "unauthorized", 404: "not_found", 405: "not_found", 429: "server_error"}
    return named.get(status, "server_error" if status >= 500 else "bad_request")


def _fields(body: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _detail(fields: dict[str, Any], body: bytes) -> str:
    # A page of HTML, which a proxy may answer, says nothing that helps.
    plain = "" if fields or body.lstrip().startswith(b"<") else body.decode("utf-8", "replace")
    words = " ".join(str(fields.get("detail") or fields.get("message") or plain).split())
    return words.rstrip(".")[:_LONGEST]
