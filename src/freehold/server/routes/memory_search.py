"""`/memories/search`, twice: a bare array for `POST`, as is documented; an object for `GET`, as nmem's CLI asks."""

from __future__ import annotations

from typing import Any

from freehold.server.operation import Call, Operation
from freehold.server.schemas.memories import MemoryQuery, MemorySearch
from freehold.server.search import memory_search
from freehold.server.search.memory_search import Filters, Found, FoundMemory


async def posted(call: Call) -> Any:
    """Answer a bare array."""
    given: MemorySearch = call.body
    if not (given.query or "").strip():
        return []
    filters = Filters(
        label_names=given.filter_labels or (),
        metadata=given.metadata_filters or (),
        unit_type=given.unit_type,
        event_from=given.event_date_from,
        event_to=given.event_date_to,
        recorded_from=given.recorded_date_from,
        recorded_to=given.recorded_date_to,
        temporal=given.temporal_context,
    )
    found = await _found(call, given.query or "", filters, given.limit, given.offset)
    return [_documented(each) for each in found.memories]


async def asked(call: Call) -> Any:
    """Answer an object with what was done to find."""
    given: MemoryQuery = call.query
    filters = Filters(
        label_names=given.labels,
        metadata=given.metadata,
        unit_type=given.unit_type,
        importance_min=given.importance_min,
        time_range=given.time_range,
        event_from=given.event_date_from,
        event_to=given.event_date_to,
        recorded_from=given.recorded_date_from,
        recorded_to=given.recorded_date_to,
    )
    found = await _found(call, given.q, filters, given.limit, given.offset)
    metadata = {
        "total_found": found.total,
        "total_is_lower_bound": found.cut,
        "search_mode": "bm25",
        "fallback_status": None,
        "query": given.q,
    }
    return {"memories": [_asked_for(each) for each in found.memories], "search_metadata": metadata}


async def _found(call: Call, query: str, filters: Filters, limit: int, offset: int) -> Found:
    def work(connection: Any) -> Found:
        return memory_search.search(connection, call.archive, call.space, query, filters, limit=limit, offset=offset)

    return await call.read(work)


def _documented(found: FoundMemory) -> Any:
    # Here nmem's answer has no labels inside the memory.
    memory = {name: value for name, value in found.memory.items() if name not in {"labels", "label_ids"}}
    return {
        "memory": memory,
        "similarity_score": found.score,
        "relevance_reason": found.reason,
        "related_entities": [],
        "evolves_context": [],
        "related_memory_links": [],
    }


def _asked_for(found: FoundMemory) -> Any:
    told = {"similarity_score": found.score, "relevance_reason": found.reason}
    metadata = {**found.memory["metadata"], **told}
    return {**found.memory, "relevance_score": found.score, "metadata": metadata}


OPERATIONS = (
    Operation(
        method="POST",
        path="/memories/search",
        handler=posted,
        body=MemorySearch,
        summary="Search memories; a bare array",
    ),
    Operation(
        method="GET",
        path="/memories/search",
        handler=asked,
        query=MemoryQuery,
        summary="Search memories; an object",
    ),
)
