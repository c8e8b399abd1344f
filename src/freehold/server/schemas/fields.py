"""The limits of what clients may send, each once."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

# No control characters: a name must be fit for a path of a URL, a log line and a database's key.
Name = Annotated[str, Meta(min_length=1, max_length=512, pattern=r"^[^\x00-\x1f\x7f]+$")]
# What names may be, where clients send an empty one for none.
OptionalName = Annotated[str, Meta(max_length=512, pattern=r"^[^\x00-\x1f\x7f]*$")]
Title = Annotated[str, Meta(max_length=2_000)]
Content = Annotated[str, Meta(max_length=4_000_000)]
Query = Annotated[str, Meta(max_length=20_000)]
Moment = Annotated[str, Meta(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")]
Limit = Annotated[int, Meta(ge=1, le=1_000)]
Offset = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Score = Annotated[float, Meta(ge=0, le=1)]
Details = dict[str, Any]
