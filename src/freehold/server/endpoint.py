"""From a request to an operation and back: who asks, what for, and one shape of answer for all that goes wrong."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from freehold.errors import FreeholdError
from freehold.server.caller import Authenticator
from freehold.server.faults import RETRY_AFTER, Fault
from freehold.server.operation import Call, Operation, check_names
from freehold.server.store import failure
from freehold.server.store.archive import Archive

log = logging.getLogger(__name__)

Endpoint = Callable[[Request], Awaitable[Response]]
_STATUSES = {"not_found": 404, "unauthorized": 401, "checkpoint_conflict": 409, "bad_request": 400}


def endpoint(operation: Operation, archive: Archive, authenticate: Authenticator) -> Endpoint:
    """Return what Starlette calls for `operation`."""

    async def answer(request: Request) -> Response:
        try:
            return await _called(operation, archive, authenticate, request)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:  # noqa: BLE001 - the last boundary: a client gets an answer, never a traceback
            return fault_response(as_fault(error))

    return answer


async def _called(operation: Operation, archive: Archive, authenticate: Authenticator, request: Request) -> Response:
    caller = None
    if operation.access != "open":
        caller = await authenticate(request)
        request.state.caller = caller.name
        if operation.access == "write":
            caller.check_writing()
    check_names(request.path_params)
    query = operation.parse_query(request)
    body = operation.parse_body(await request.body()) if operation.body else None
    call = Call(archive, caller, request, query, body, request.path_params)  # pyright: ignore[reportArgumentType]
    result = await operation.handler(call)
    return result if isinstance(result, Response) else json_response(result, operation.status)


def json_response(value: Any, status: int = 200) -> Response:
    """Return `value` as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def as_fault(error: Exception) -> Fault:
    """Return what to answer for `error`; one that nobody foresaw is logged, without what the request held."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, SQLAlchemyError):
        found = failure.fault(error)
        log.log(logging.ERROR if found.status == 500 else logging.WARNING, "database: %s", failure.described(error))
        return found
    if isinstance(error, FreeholdError):
        return Fault(_STATUSES.get(error.code, 503), error.code, error.message)
    log.error("fault in the server", exc_info=error)
    return Fault(500, "server_error", f"A fault in the server: {type(error).__name__}. Its log says where.")


def fault_response(fault: Fault) -> Response:
    """Return a fault as clients read it: JSON, and for 422 the plain text they look for, with the code in headers."""
    headers = {"x-nmem-error-code": fault.code, "x-nmem-retryable": str(fault.retryable).lower()}
    if fault.retryable:
        headers["retry-after"] = str(fault.more.get("retry_after", RETRY_AFTER))
    if fault.status == 401:
        headers["www-authenticate"] = "Bearer"
    if fault.status == 422:
        return PlainTextResponse(fault.detail, 422, headers)
    response = json_response(fault.body(), fault.status)
    response.headers.update(headers)
    return response
