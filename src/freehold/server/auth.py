"""Who is let in: on loopback a process of the same user, or a key; from elsewhere a key."""

from __future__ import annotations

import math
import os
from collections.abc import Callable

from starlette.requests import Request

from freehold.server import peer
from freehold.server.caller import Caller
from freehold.server.faults import Fault
from freehold.server.peer import Address
from freehold.server.store import keys
from freehold.server.store.archive import Archive
from freehold.server.throttle import Throttle

_NO_KEY = "Missing API key. Send it as `Authorization: Bearer KEY`; make one with: freehold serve keys add NAME."
_WRONG_KEY = "Invalid API key. See which there are with: freehold serve keys list."


class KeyOrOwner:
    """Lets in who has a key of `archive`, and on loopback the user `uid` without one.

    A key that is sent counts also on loopback, so that one for reading alone reads alone. `uid_of` tells whose a
    loopback connection is.
    """

    def __init__(
        self,
        archive: Archive,
        *,
        uid: int | None = None,
        throttle: Throttle | None = None,
        uid_of: Callable[[Address, Address], int | None] = peer.uid_of,
    ) -> None:
        self._archive = archive
        self._uid = os.getuid() if uid is None else uid
        self._throttle = throttle or Throttle()
        self._uid_of = uid_of

    async def __call__(self, request: Request) -> Caller:
        """Return who asks; raise `Fault` (401 `unauthorized`, 429 `too_many_wrong_keys`)."""
        given = _key(request)
        if given:
            return await self._by_key(request, given)
        if self._is_owner(request):
            return Caller("owner")
        raise Fault(401, "unauthorized", _NO_KEY)

    async def _by_key(self, request: Request, given: str) -> Caller:
        address = request.client.host if request.client else ""
        if wait := math.ceil(self._throttle.wait(address)):
            detail = f"Too many wrong keys from this address. It may ask again in {wait} s."
            raise Fault(429, "too_many_wrong_keys", detail, retryable=True, retry_after=wait)
        key = await self._archive.database.read(keys.verified, given)
        if key is None:
            self._throttle.count(address)
            raise Fault(401, "unauthorized", _WRONG_KEY)
        return Caller(key.name, key.spaces, key.read_only)

    def _is_owner(self, request: Request) -> bool:
        server = request.scope.get("server")
        if request.client is None or not server or not server[1]:
            return False
        client = (request.client.host, request.client.port)
        # A proxy in front would be of the same user whoever asks it; what it forwards needs a key.
        if not peer.is_loopback(client[0]) or _is_forwarded(request):
            return False
        return self._uid_of(client, (server[0], server[1])) == self._uid


def _is_forwarded(request: Request) -> bool:
    return any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-real-ip"))


def _key(request: Request) -> str:
    """Return the key that a request bears in one of the two headers of nmem's clients, the empty text without one."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    own = given.strip() if scheme.lower() == "bearer" else ""
    return own or request.headers.get("x-nmem-api-key", "").strip()
