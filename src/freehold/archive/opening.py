"""Opening the way to a backend: over the network, or over ASGI to a server in this process."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx2

from freehold.archive import backend as backends
from freehold.archive.archive import Connection
from freehold.archive.backend import Backend
from freehold.archive.client import ArchiveClient
from freehold.archive.transport import HttpTransport, headers
from freehold.errors import FreeholdError

App = Any
"""An ASGI application; httpx2 has no public name for its type."""

Embedded = Callable[[], AbstractAsyncContextManager[App]]
"""Starts the embedded server and stops it at the end."""

_PROBE_PATIENCE = 0.25
"""How much of the usual deadline a listener has to say that it is an archive."""


@asynccontextmanager
async def opened(backend: Backend, embedded: Embedded) -> AsyncGenerator[Connection]:
    """Open a connection to `backend`. A listener that is no archive is left alone, and the embedded server used."""
    if backend.kind == "listening" and (reason := await _no_archive(backend)):
        backend = backends.embedded_instead(backend, reason)
    if backend.kind == "embedded":
        async with embedded() as app, _http(backend, httpx2.ASGITransport(app, raise_app_exceptions=False)) as http:
            yield _connection(backend, http)
        return
    async with _http(backend, None) as http:
        yield _connection(backend, http)


async def _no_archive(backend: Backend) -> str:
    """Return why what listens is no archive; empty where it is one."""
    async with httpx2.AsyncClient(base_url=backend.url, timeout=None, trust_env=False) as http:
        # Without the key: whose server it is is known, what it is is not yet.
        client = ArchiveClient(HttpTransport(http, backend.url, patience=_PROBE_PATIENCE), server=backend.url)
        try:
            health = await client.health()
        except FreeholdError as error:
            return error.message
    return "" if "status" in health else f"{backend.url}/health does not answer as an archive does."


def _http(backend: Backend, transport: httpx2.AsyncBaseTransport | None) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        base_url=backend.url,
        headers=headers(backend.key),
        transport=transport,
        timeout=None,
        trust_env=not backend.local,  # a proxy has no business between two programs of one machine
    )


def _connection(backend: Backend, http: httpx2.AsyncClient) -> Connection:
    transport = HttpTransport(http, backend.name)
    client = ArchiveClient(transport, server=backend.name, space=backend.space)
    return Connection(backend, client, lambda: transport.lost)
