"""The server as an ASGI application: every operation of the API over one archive."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from freehold.server.caller import Authenticator, trusted
from freehold.server.endpoint import endpoint, fault_response
from freehold.server.faults import Fault
from freehold.server.metrics import Metrics
from freehold.server.operation import Operation
from freehold.server.routes import (
    append,
    context,
    description,
    import_,
    labels,
    memories,
    memory_search,
    spaces,
    status,
    threads,
    working_memory,
)
from freehold.server.routes.metrics import of as of_metrics
from freehold.server.store import failure
from freehold.server.store.archive import Archive

# Searches before what is read by its id: /memories/search is no memory.
OPERATIONS: tuple[Operation, ...] = (
    *status.OPERATIONS,
    *memory_search.OPERATIONS,
    *memories.OPERATIONS,
    *labels.OPERATIONS,
    *import_.OPERATIONS,
    *threads.OPERATIONS,
    *append.OPERATIONS,
    *spaces.OPERATIONS,
    *working_memory.OPERATIONS,
    *context.OPERATIONS,
)


def create_app(database: Path | str, *, auth: Authenticator = trusted) -> Starlette:
    """Return the API over the archive in `database`, a file or the URL of a PostgreSQL database.

    `auth` says who a request comes from; without one, everyone who reaches the application is let in, as is right
    within one process. The database is opened, and made where it is missing, before this returns; the archive stands in
    `app.state.archive` and is closed when the application's lifespan ends, or by its `close`. Raises `UnavailableError`
    (`store_too_new`, `database_failed`) and `UsageError` (`invalid_argument`).
    """
    archive = Archive(database)
    try:
        archive.open()
    except SQLAlchemyError as error:
        archive.close()
        raise failure.unavailable(error) from error
    return application(archive, auth)


class Tools(Protocol):
    """What answers at `/mcp`. Handed in: importing MCP takes longer than all the rest, and one process needs none."""

    paths: tuple[str, ...]
    app: ASGIApp
    running: AbstractAsyncContextManager[None]


def application(
    archive: Archive,
    auth: Authenticator = trusted,
    *,
    metrics: Metrics | None = None,
    tools: Tools | None = None,
) -> Starlette:
    """Return the API over an archive that is open. `metrics`: what is counted of it, shown at `/metrics`."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with tools.running if tools else nullcontext():
            yield
        archive.close()

    operations = (*OPERATIONS, *((of_metrics(metrics),) if metrics else ()), description.of_operations(OPERATIONS))
    routes: list[BaseRoute] = [
        Route(each.path, endpoint(each, archive, auth), methods=[each.method]) for each in operations
    ]
    if tools:
        routes += [Route(path, tools.app, methods=["GET", "POST", "DELETE"]) for path in tools.paths]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _refused})
    app.router.redirect_slashes = False
    app.state.archive = archive
    return app


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it alone
    if error.status_code == 404:
        detail = f"This server has no {request.method} {request.url.path}. GET /openapi.json lists what it has."
        return fault_response(Fault(404, "endpoint_not_found", detail))
    if error.status_code == 405:
        detail = f"{request.url.path} does not take {request.method}. GET /openapi.json lists what it takes."
        response = fault_response(Fault(405, "method_not_allowed", detail))
        response.headers.update(error.headers or {})
        return response
    return fault_response(Fault(error.status_code, "bad_request", error.detail))
