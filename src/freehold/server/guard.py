"""What no request gets past: a foreign Host or Origin, another site's page, a body without end."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from freehold.server.endpoint import fault_response
from freehold.server.faults import Fault

# Bytes of a body: a long conversation as a whole is a few.
MAX_BODY = 64_000_000
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Guard:
    """Refuses before anything else looks at a request.

    `hosts`: the names by which this server may be called, without port; a page whose name an attacker pointed at this
    machine (DNS rebinding) calls it by another. `max_body`: in bytes.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str], max_body: int = MAX_BODY) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        fault = self._refusal(Headers(scope=scope))
        if fault is not None:
            await fault_response(fault)(scope, receive, send)
            return
        await _Bounded(self._app, self._max_body)(scope, receive, send)

    def _refusal(self, headers: Headers) -> Fault | None:
        host = headers.get("host", "")
        if _without_port(host) not in self._hosts:
            named = ", ".join(sorted(self._hosts))
            return Fault(403, "host_not_allowed", f"This server is not called {host!r}. It is called: {named}.")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return Fault(403, "origin_not_allowed", "Pages of other sites may not use this server.")
        if headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
            return Fault(403, "origin_not_allowed", "Pages of other sites may not use this server.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._max_body:
            return _too_large(self._max_body)
        return None


class _Bounded:
    """Ends a request whose body is longer than it may be, also one that did not say how long it is."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        left = self._limit
        begun = False

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, counted, noted)
        except _TooLarge:
            if not begun:
                await fault_response(_too_large(self._limit))(scope, receive, send)


class _TooLarge(Exception):  # noqa: N818 - carries no fault of ours past this module
    pass


def names_of(host: str, allowed: Collection[str]) -> frozenset[str]:
    """Return the names of a server that listens at `host`: those of loopback, its own, and what the user allowed."""
    own = {_bracketed(host)} if host not in {"0.0.0.0", "::"} else set[str]()  # noqa: S104 - compared, not bound
    return frozenset({*LOOPBACK_NAMES, *own, *allowed})


def _bracketed(host: str) -> str:
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host


def _without_port(host: str) -> str:
    name, sign, port = host.lower().rpartition(":")
    return name if sign and port.isdecimal() else host.lower()


def _too_large(limit: int) -> Fault:
    return Fault(413, "too_large", f"A request may have {limit:,} bytes. Send long conversations in several appends.")
