"""The seam to a model: whoever owns one answers a prompt with words."""

from __future__ import annotations

from typing import Protocol


class Completer(Protocol):
    """A model that somebody else runs: the host of the conversation, or an endpoint that the user configured."""

    async def complete(self, prompt: str) -> str:
        """Return the model's answer to `prompt`; raises `UnavailableError` where there is none in time."""
        ...
