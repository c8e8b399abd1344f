"""What a user may set about the memory that writes itself."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

SESSION = "session"
"""The `extractModel` that means the conversation's own."""


class ExtractionSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """In JSON the names are those that users write: `autoExtract`, `extractModel` and so on.

    `auto_extract`: whether settled turns are worked through at all. `extract_model`: "provider/id", or "session" for
    the conversation's. `mode`: one request ("call"), or a sub-agent that reads and writes ("fork"). `every`: prompts
    after which a pass begins. `idle_seconds`: without a prompt for so long, what is waiting is worked through.
    `daily_passes` and `daily_tokens`: the most of a day (UTC) for this project.
    """

    auto_extract: bool = False
    extract_model: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] = "qoder/fast"
    mode: Literal["call", "fork"] = "call"
    every: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 5
    idle_seconds: Annotated[float, msgspec.Meta(ge=0.01, le=86_400)] = 120.0
    daily_passes: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 40
    daily_tokens: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)] = 400_000

    @property
    def model(self) -> str:
        """Return the model as a request names it: empty for the conversation's."""
        return "" if self.extract_model == SESSION else self.extract_model
