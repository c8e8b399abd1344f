"""Searching threads: what their messages and titles say, grouped by thread, with the messages that matched."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from freehold.server.index.expression import source_term, space_term
from freehold.server.search import candidates, question
from freehold.server.search.found_messages import FoundMessage, contents, read
from freehold.server.search.found_threads import FoundThread, read_threads
from freehold.server.search.thread_ranking import RankedThread, rank
from freehold.server.store.archive import Archive
from freehold.server.store.numbers import as_uuid
from freehold.text.snippet import excerpt

Row = dict[str, Any]

MATCHES = 5
_SNIPPET = 240


def search(
    connection: Connection, archive: Archive, space_id: str, query: str, *, limit: int, source: str | None = None
) -> Row:
    """Return the threads that answer `query`, best first, as `GET /threads/search` answers.

    `total_found` counts the threads that were found; where `search_metadata` says that it is a lower bound, a common
    word had more documents than one search looks at.
    """
    asked = question.read(query)
    totals = archive.totals.of(connection, space_id)
    filters = (space_term(space_id), *((source_term(source),) if source else ()))
    if not asked.terms or not totals.threads:
        return _answer(query, [], [], 0, cut=False)
    said = candidates.gather(
        connection,
        archive.messages,
        space_id,
        asked,
        total=max(totals.messages, 1),
        filters=filters,
        enough=MATCHES * limit,
    )
    titled = candidates.gather(
        connection, archive.threads, space_id, asked, total=totals.threads, filters=filters, enough=limit
    )
    messages = read(connection, archive, space_id, said, asked, totals.messages)
    numbers = {each.thread for each in messages} | {*titled.strict, *titled.loose}
    threads = read_threads(connection, space_id, sorted(numbers), asked)
    ranked = rank(asked, totals, messages, list(threads.values()), said.counts)
    page = ranked[:limit]
    said_by = contents(connection, space_id, [one.number for each in page for one, _ in each.messages[:MATCHES]])
    weights = {term: 1.0 / (1 + said.counts.get(term, 0)) for term in asked.terms}
    shown = [_shown(each, threads[each.number], said_by, weights) for each in page]
    return _answer(query, shown, ranked, len(messages), cut=said.cut or titled.cut)


def _shown(ranked: RankedThread, thread: FoundThread, said_by: dict[int, Row], weights: dict[str, float]) -> Row:
    row = thread.row
    matched = [(one, mark) for one, mark in ranked.messages[:MATCHES] if one.number in said_by]
    return {
        "id": row["uuid"],
        **{name: row[name] for name in ("thread_id", "title", "summary", "message_count", "source", "space_id")},
        "participants": row["participants"] or [],
        "last_activity": row["last_activity"] or row["updated_at"],
        "relevance_score": ranked.relevance,
        "total_matches": len(ranked.messages),
        "matched_messages": [_matched(one, mark, said_by[one.number], weights) for one, mark in matched],
    }


def _matched(message: FoundMessage, score: float, said: Row, weights: dict[str, float]) -> Row:
    return {
        "message_id": said["external_id"] or as_uuid(message.number),
        "message_index": message.order_index,
        "role": said["role"],
        "snippet": excerpt(said["content"], weights, _SNIPPET),
        "match_score": round(score, 4),
        "timestamp": said["timestamp"],
    }


def _answer(query: str, shown: list[Row], ranked: list[RankedThread], matched: int, *, cut: bool) -> Row:
    return {
        "threads": shown,
        "total_found": len(ranked),
        "search_metadata": {
            "query": query,
            "mode": "full",
            "matched_messages_count": matched,
            "total_is_lower_bound": cut,
            "error": None,
            "search_engine": "bm25",
        },
    }
