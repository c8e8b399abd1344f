"""What clients send about memories."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from freehold.server.schemas.fields import (
    Content,
    Details,
    Limit,
    Moment,
    Name,
    Offset,
    OptionalName,
    Query,
    Score,
    Title,
)

UnitType = OptionalName
Labels = Annotated[list[OptionalName], Meta(max_length=200)]
Day = Annotated[str, Meta(pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")]
Temporal = Literal["past", "present", "future", "timeless"]


class MessageRange(Struct, kw_only=True):
    """Messages of a thread, the last one included."""

    start_index: int | None = None
    end_index: int | None = None


class NewMemory(Struct, kw_only=True):
    """A memory to keep. With an `id` that is there already it is an update, which keeps what is not given."""

    content: Content
    title: Title | None = None
    id: OptionalName | None = None
    labels: Labels | None = None
    importance: Score | None = None
    confidence: Score | None = None
    unit_type: UnitType | None = None
    source: OptionalName | None = None
    source_app: OptionalName | None = None
    import_origin: Any = None
    source_thread_id: OptionalName | None = None
    source_message_id: Any = None
    source_message_indices: Annotated[list[int], Meta(max_length=10_000)] | None = None
    source_message_range: MessageRange | None = None
    space_id: OptionalName | None = None
    metadata: Details | None = None
    event_start: Moment | None = None
    event_end: Moment | None = None
    temporal_context: OptionalName | None = None


class MemoryChange(Struct, kw_only=True):
    """What to change of a memory; labels replace those it has."""

    title: Title | None = None
    content: Content | None = None
    importance: Score | None = None
    confidence: Score | None = None
    unit_type: UnitType | None = None
    space_id: OptionalName | None = None
    labels: Labels | None = None
    metadata: Details | None = None


class MemorySearch(Struct, kw_only=True):
    """What to search memories for, as `POST /memories/search` takes it."""

    query: Query | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 10
    offset: Offset = 0
    mode: OptionalName | None = None
    filter_labels: Labels | None = None
    unit_type: UnitType | None = None
    include_entities: bool | None = None
    metadata_filters: Annotated[list[Title], Meta(max_length=50)] | None = None
    space_id: OptionalName | None = None
    event_date_from: Day | None = None
    event_date_to: Day | None = None
    recorded_date_from: Day | None = None
    recorded_date_to: Day | None = None
    temporal_context: Temporal | None = None


class MemoryQuery(Struct, kw_only=True):
    """What to search memories for, as `GET /memories/search` takes it."""

    q: Query = ""
    limit: Annotated[int, Meta(ge=1, le=100)] = 10
    offset: Offset = 0
    mode: OptionalName | None = None
    labels: Labels = []
    metadata: Annotated[list[Title], Meta(max_length=50)] = []
    unit_type: UnitType | None = None
    importance_min: Score | None = None
    time_range: Literal["today", "week", "month", "year"] | None = None
    event_date_from: Day | None = None
    event_date_to: Day | None = None
    recorded_date_from: Day | None = None
    recorded_date_to: Day | None = None
    include_history: bool = False
    explain: bool = False
    space_id: OptionalName | None = None


class MemoryList(Struct, kw_only=True):
    """Which memories to list."""

    limit: Limit = 20
    offset: Offset = 0
    importance_min: Score | None = None
    unit_type: UnitType | None = None
    labels: Labels = []
    space_id: OptionalName | None = None


class OfSpace(Struct, kw_only=True):
    """The space that is meant; the key's own without one."""

    space_id: OptionalName | None = None


class NewLabel(Struct, kw_only=True):
    """A label to make, in the query as nmem's clients send it."""

    name: Name
    color: OptionalName | None = None
    description: Title | None = None
    space_id: OptionalName | None = None
