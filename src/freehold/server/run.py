"""Serving an archive over HTTP until told to stop; then what has begun is finished."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from freehold.errors import UnavailableError, UsageError
from freehold.server import log
from freehold.server.app import application
from freehold.server.auth import KeyOrOwner
from freehold.server.guard import Guard, names_of
from freehold.server.mcp.endpoint import McpEndpoint
from freehold.server.metrics import Measured, Metrics
from freehold.server.peer import is_loopback
from freehold.server.store.archive import Archive

PORT = 14242
# Seconds for which a stop waits for what has begun.
GRACE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to serve. `names`: further names by which clients call this server. `verbose`: log each request."""

    database: Path | str
    host: str = "127.0.0.1"
    port: int = PORT
    names: Sequence[str] = ()
    verbose: bool = False


def serve(options: Options, *, ready: Callable[[str, str], None]) -> None:
    """Serve until SIGINT or SIGTERM. `ready` is called with the address and the archive's name once it listens.

    Raises `UsageError` (`invalid_argument`) for an address that is none, `UnavailableError` (`server_error`) for one
    that is taken.
    """
    log.start(verbose=options.verbose)
    archive = Archive(options.database)
    archive.open()
    listener = _listener(options.host, options.port)
    host, port = listener.getsockname()[:2]
    app = guarded(archive, hosts=names_of(options.host, options.names))
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        # A forwarded address is anyone's word; who asks is who is connected.
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=75,
        h11_max_incomplete_event_size=64_000,
        limit_concurrency=500,
    )
    # uvicorn raises the signal it stopped for once more when it is done; a stop that was asked for is no failure.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    ready(f"http://{f'[{host}]' if ':' in host else host}:{port}", archive.database.name)
    server = uvicorn.Server(config)
    try:
        server.run(sockets=[listener])
    finally:
        listener.close()


def guarded(archive: Archive, *, hosts: frozenset[str]) -> ASGIApp:
    """Return the application over `archive` as a network may reach it."""
    metrics = Metrics()
    auth = KeyOrOwner(archive)
    app = application(archive, auth, metrics=metrics, tools=McpEndpoint(archive, auth))
    return Measured(Guard(app, hosts=hosts), metrics)


def _listener(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
    except socket.gaierror as error:
        message = f"There is no address {host!r}. Valid: an address of this machine, such as 127.0.0.1."
        raise UsageError("invalid_argument", message) from error
    try:
        if sys.platform != "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(128)
    except OSError as error:
        made.close()
        message = f"Cannot listen at {host}:{port}: {error.strerror}. Choose another port with --port."
        raise UnavailableError("server_error", message) from error
    return made


def needs_keys(host: str) -> bool:
    """Say whether every client of a server at `host` needs a key."""
    return not is_loopback(host)
