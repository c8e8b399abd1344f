"""`/threads/import`: conversations of other programs, one or many."""

from __future__ import annotations

from typing import Any

from freehold.server.endpoint import as_fault, json_response
from freehold.server.faults import bad_request
from freehold.server.operation import Call, Operation
from freehold.server.routes.append import NO_FILES
from freehold.server.schemas.threads import Import, ImportedThread
from freehold.server.store import importing


async def import_threads(call: Call) -> Any:
    """Import each thread in a transaction of its own."""
    given: Import = call.body
    if given.file_path is not None:
        raise bad_request(NO_FILES)
    threads = importing.spread(given)
    results = [await _imported(call, each) for each in threads]
    answer = importing.together(results)
    if given.threads is None and not answer["success"]:
        # A client that sent one reads the status first.
        result = results[0]
        status: int = result.pop("status")
        told = {"detail": result["error"], "error_code": result["error_code"], "retryable": result.pop("retryable")}
        return json_response({**answer, **told}, status)
    for result in results:
        result.pop("status", None)
    return answer


async def _imported(call: Call, given: ImportedThread) -> dict[str, Any]:
    try:
        space_id = call.caller.space(given.space_id or call.request.headers.get("x-nmem-space-id"))
        return await call.write(importing.import_thread, space_id, given)
    except Exception as error:  # noqa: BLE001 - one thread's failure is its own result
        fault = as_fault(error)
        told = importing.failed(given, fault.detail, fault.code)
        return {**told, "status": fault.status, "retryable": fault.retryable}


OPERATIONS = (
    Operation(
        method="POST",
        path="/threads/import",
        handler=import_threads,
        body=Import,
        access="write",
        summary="Import conversations",
    ),
)
