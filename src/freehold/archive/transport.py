"""One request to an archive's server: its deadline, its repetitions, and what becomes of a failure."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import httpx2
import msgspec
from anyio.lowlevel import checkpoint_if_cancelled

from freehold import __version__
from freehold.archive import failure
from freehold.archive.request import SECONDS
from freehold.errors import FreeholdError, UnavailableError, UsageError

RETRIES = 2
_FIRST_PAUSE = 0.25
MAX_BYTES = 32 * 1024 * 1024
"""The largest answer that is read, bytes: a thousand messages of 20,000 characters fit."""


class HttpTransport:
    """A `Transport` over `http`.

    Each attempt has its own deadline; what is transient is repeated twice, after 0.25 s and 0.5 s, each with up to as
    much again at random, so that many clients do not return at one moment. Raises `timeout`, `backend_unreachable`,
    `unauthorized`, `not_found`, `bad_request`, `checkpoint_conflict` and `server_error`; `attempts` stands in `data`.
    """

    def __init__(
        self,
        http: httpx2.AsyncClient,
        server: str,
        *,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        chance: Callable[[], float] = random.random,
        most_bytes: int = MAX_BYTES,
        patience: float = 1.0,
    ) -> None:
        """`patience` stretches or shortens every deadline; `sleep` and `chance` are the clock and the dice."""
        self._http = http
        self._server = server
        self._sleep = sleep
        self._chance = chance
        self._most_bytes = most_bytes
        self._patience = patience
        self.lost = False
        """Whether nothing answered at the last request."""

    async def __call__(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        repeatable: bool = True,
        seconds: float = SECONDS,
    ) -> Any:
        """Send it, again where that helps."""
        request = self._http.build_request(method, path, params=dict(params or {}), content=_encoded(body))
        tried = 0
        while True:
            tried += 1
            try:
                answer = await self._attempt(request, seconds * self._patience, repeatable=repeatable)
            except FreeholdError as error:
                self.lost = error.code == "backend_unreachable"
                error.data["attempts"] = tried
                if not (repeatable and failure.transient(error)) or tried > RETRIES:
                    raise
            else:
                self.lost = False
                return answer
            await self._sleep(_FIRST_PAUSE * 2 ** (tried - 1) * (1 + self._chance()))

    async def _attempt(self, request: httpx2.Request, seconds: float, *, repeatable: bool) -> Any:
        try:
            with anyio.fail_after(seconds):
                status, body = await self._exchange(request)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise failure.too_slow(self._server, seconds, repeatable=repeatable) from error
        except httpx2.ConnectError as error:
            raise failure.unreachable(self._server, str(error) or "no connection") from error
        except httpx2.TransportError as error:
            raise self._cut(str(error) or type(error).__name__) from error
        if status >= 400:
            raise failure.refused(self._server, status, body)
        if status >= 300:
            raise failure.broken(self._server, f"answered {status}, and a key is never sent on to another address")
        return self._decoded(body)

    async def _exchange(self, request: httpx2.Request) -> tuple[int, bytes]:
        # Who was cancelled while a thread worked for it comes here before it notices: the client may be closed.
        await checkpoint_if_cancelled()
        if self._http.is_closed:
            raise failure.unreachable(self._server, "the connection to it was closed")
        response = await self._http.send(request, stream=True)
        try:
            body = bytearray()
            async for part in response.aiter_bytes():
                body += part
                if len(body) > self._most_bytes:
                    raise failure.broken(self._server, f"sent more than {self._most_bytes:,} bytes")
            return response.status_code, bytes(body)
        finally:
            await response.aclose()

    def _decoded(self, body: bytes) -> Any:
        try:
            return msgspec.json.decode(body) if body.strip() else {}
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise failure.broken(self._server, "answered what is not JSON") from error

    def _cut(self, reason: str) -> UnavailableError:
        error = failure.broken(self._server, f"ended the connection in the middle ({reason})")
        error.data["cut"] = True
        return error


def headers(key: str) -> dict[str, str]:
    """Return what every request carries; servers look for the key in one of two places."""
    common = {"content-type": "application/json", "accept": "application/json", "user-agent": f"freehold/{__version__}"}
    return common | ({"authorization": f"Bearer {key}", "x-nmem-api-key": key} if key else {})


def _encoded(body: Any) -> bytes | None:
    try:
        return None if body is None else msgspec.json.encode(body)
    except UnicodeEncodeError as error:
        message = f"The text holds half a character at {error.start} (a lone surrogate). Leave it out and call again."
        raise UsageError("invalid_argument", message) from error
