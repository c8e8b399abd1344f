"""Who asks, and what they may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from starlette.requests import Request

from freehold.server.faults import Fault
from freehold.server.store import spaces


@dataclass(frozen=True, slots=True)
class Caller:
    """A client that was let in. `spaces`: those it may use, None for all. `name`: for logs."""

    name: str
    spaces: tuple[str, ...] | None = None
    read_only: bool = False

    def space(self, wanted: str | None) -> str:
        """Return the space that is meant, the caller's first without one; raise `Fault` (403) for one not its own."""
        if not wanted:
            return spaces.DEFAULT if self.spaces is None or spaces.DEFAULT in self.spaces else self.spaces[0]
        if self.spaces is not None and wanted not in self.spaces:
            detail = f"This key may not use the space {wanted}. It may use: {', '.join(self.spaces)}."
            raise Fault(403, "space_not_allowed", detail)
        return wanted

    def check_writing(self) -> None:
        """Raise `Fault` (403) where the caller may only read."""
        if self.read_only:
            detail = "This key may only read. Use one that may write: freehold serve keys add NAME."
            raise Fault(403, "read_only_key", detail)


class Authenticator(Protocol):
    """Says who a request comes from; raises `Fault` (401, 403, 429) for one that is not let in."""

    async def __call__(self, request: Request) -> Caller:
        """Return who asks."""
        ...


async def trusted(request: Request) -> Caller:
    """Let everyone in: for a server that only its own process can reach."""
    del request
    return Caller("own process")
