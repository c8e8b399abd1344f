"""One base error and four families; the stable code carries the variety.

The codes are those of `protocol/errors.json`, which is append-only; a contract test keeps this table like that file.
A message says what was wrong, what is valid, and which call to make next.
"""

from __future__ import annotations

from typing import Any, cast


class FreeholdError(Exception):
    """Something Freehold can name: a stable `code`, a `message` for the next step, and `data` for machines."""

    def __init__(self, code: str, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data or {}

    def to_wire(self) -> dict[str, Any]:
        """Return `{code, message, data}`, the shape that travels."""
        return {"code": self.code, "message": self.message, "data": self.data}


class UsageError(FreeholdError):
    """The call cannot be answered as it was made; another call can."""


class UnavailableError(FreeholdError):
    """Something outside is missing, too slow or gone; the same call may work later."""


class DeniedError(FreeholdError):
    """A rule forbids it: the fence, the pause, the allow-lists or the bridge's own checks."""


class InternalError(FreeholdError):
    """A fault in Freehold itself."""


_USAGE = (
    "invalid_argument",
    "unknown_tool",
    "unknown_method",
    "session_not_open",
    "unknown_tab",
    "no_tab",
    "unknown_ref",
    "ref_removed",
    "ref_navigated",
    "unknown_key",
    "not_editable",
    "value_not_allowed",
    "element_covered",
    "element_not_visible",
    "dialog_open",
    "no_dialog",
    "navigation_failed",
    "script_error",
    "file_not_found",
    "unknown_topic",
    "name_not_allowed",
    "conflict",
    "not_shared",
    "not_found",
    "bad_request",
    "checkpoint_conflict",
)
_UNAVAILABLE = (
    "browser_not_connected",
    "setup_missing",
    "connection_lost",
    "timeout",
    "cancelled",
    "tab_closed",
    "tab_crashed",
    "page_navigated",
    "debugger_detached",
    "result_too_large",
    "browser_not_found",
    "browser_failed",
    "store_busy",
    "store_read_only",
    "store_too_new",
    "disk_full",
    "store_unreadable",
    "git_failed",
    "remote_failed",
    "model_unavailable",
    "model_failed",
    "pi_not_found",
    "pi_failed",
    "backend_unreachable",
    "server_error",
    "database_failed",
)
_DENIED = (
    "paused",
    "outside_fence",
    "command_not_allowed",
    "address_not_allowed",
    "product_mismatch",
    "protocol_mismatch",
    "pairing_mismatch",
    "handshake_invalid",
    "envelope_forged",
    "envelope_replayed",
    "envelope_out_of_order",
    "envelope_truncated",
    "envelope_too_large",
    "peer_not_allowed",
    "origin_not_allowed",
    "permissions_unsafe",
    "topic_protected",
    "secret_found",
    "path_outside_store",
    "store_mismatch",
    "unauthorized",
    "peer_refused",
)
_INTERNAL = ("internal_error",)

FAMILIES: dict[str, type[FreeholdError]] = {
    **dict.fromkeys(_USAGE, UsageError),
    **dict.fromkeys(_UNAVAILABLE, UnavailableError),
    **dict.fromkeys(_DENIED, DeniedError),
    **dict.fromkeys(_INTERNAL, InternalError),
}


def from_wire(error: dict[str, Any]) -> FreeholdError:
    """Build the error of the right family from `{code, message, data}`; a newer peer's unknown code is kept."""
    code = str(error.get("code", "internal_error"))
    data: Any = error.get("data")
    known = cast("dict[str, Any]", data) if isinstance(data, dict) else None
    return FAMILIES.get(code, InternalError)(code, str(error.get("message", code)), known)
