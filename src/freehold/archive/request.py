"""What a request to an archive's server is, apart from how it travels: importing this costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import quote

SECONDS = 8.0
CREATE_SECONDS = 30.0


class Transport(Protocol):
    """Sends one request and returns the decoded JSON of its answer."""

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
        """Send it. `repeatable`: whether doing it twice does no harm, and so whether it may be sent again."""
        ...


def segment(name: str) -> str:
    """Return `name` as one part of a path, whatever it holds."""
    return quote(name, safe="")
