"""Memories, labels, working memory and context over the API, on both databases."""

from __future__ import annotations

import pytest

from tests.contract.server.api import Api

pytestmark = pytest.mark.anyio


async def keep(api: Api, content: str, **more: object) -> str:
    return (await api.post("/memories", {"content": content, **more}))["memory"]["id"]


async def ids(api: Api, query: str, **more: object) -> list[str]:
    answer = await api.post("/memories/search", {"query": query, **more})
    return [each["memory"]["id"] for each in answer]


async def test_both_searches_answer_in_their_own_shape(api: Api) -> None:
    await keep(api, "The cache is Redis", id="m", labels=["infra"], importance=0.9)
    (posted,) = await api.post("/memories/search", {"query": "redis"})
    assert set(posted) >= {"memory", "similarity_score", "relevance_reason", "related_entities"}
    assert "labels" not in posted["memory"]
    asked = await api.get("/memories/search", q="redis")
    (memory,) = asked["memories"]
    assert (memory["id"], memory["labels"], memory["metadata"]["importance"]) == ("m", ["infra"], 0.9)
    assert memory["metadata"]["similarity_score"] == 1
    assert asked["search_metadata"]["total_found"] == 1


async def test_an_empty_query_finds_nothing(api: Api) -> None:
    await keep(api, "x")
    for body in ({}, {"query": ""}, {"query": "  "}, {"query": "?!"}):
        assert await api.post("/memories/search", body) == []


async def test_saving_under_an_id_again_updates_and_adds_labels(api: Api) -> None:
    await keep(api, "one", id="m", labels=["a"], importance=0.9)
    answer = await api.post("/memories", {"content": "two", "id": "m", "labels": ["b"]})
    assert answer["action"] == "updated"
    memory = await api.get("/memories/m")
    assert (memory["content"], memory["labels"], memory["importance"]) == ("two", ["a", "b"], 0.9)
    assert await ids(api, "one") == []
    assert await ids(api, "two") == ["m"]


async def test_a_change_replaces_labels_and_keeps_what_is_not_given(api: Api) -> None:
    await keep(api, "one", id="m", title="Own title", labels=["a", "b"], unit_type="decision")
    changed = await api.patch("/memories/m", {"labels": ["c"]})
    assert (changed["labels"], changed["title"], changed["unit_type"]) == (["c"], "Own title", "decision")
    assert (await api.patch("/memories/m", {"labels": []}))["labels"] == []
    assert (await api.refused("PATCH", "/memories/none", 404, json={}))["error_code"] == "memory_not_found"


async def test_a_deleted_memory_is_gone_from_list_and_search(api: Api) -> None:
    await keep(api, "zebra", id="m", labels=["a"])
    assert (await api.delete("/memories/m"))["success"] is True
    answer = await api.refused("GET", "/memories/m", 404)
    assert answer["detail"] == "Memory not found: m"
    assert await ids(api, "zebra") == []
    assert (await api.get("/memories"))["pagination"]["total"] == 0


async def test_filters_hold_in_searches_and_lists(api: Api) -> None:
    day = {"event_start": "2026-07-18", "temporal_context": "past"}
    await keep(api, "word one", id="a", labels=["Red", "blue"], unit_type="decision", metadata={"team": "x"}, **day)
    await keep(api, "word two", id="b", labels=["red"], unit_type="fact", importance=0.9, event_start="2025-01-01")
    assert set(await ids(api, "word", filter_labels=["RED"])) == {"a", "b"}
    assert await ids(api, "word", filter_labels=["red", "Blue"]) == ["a"]
    assert await ids(api, "word", unit_type="fact") == ["b"]
    assert await ids(api, "word", metadata_filters=["team=x"]) == ["a"]
    assert await ids(api, "word", metadata_filters=["team=y"]) == []
    assert await ids(api, "word", event_date_from="2026", event_date_to="2026-07") == ["a"]
    assert await ids(api, "word", temporal_context="past") == ["a"]
    assert await ids(api, "word", recorded_date_to="2001-01-01") == []
    asked = await api.get("/memories/search", q="word", importance_min=0.8, time_range="today")
    assert [memory["id"] for memory in asked["memories"]] == ["b"]
    listed = await api.get("/memories", labels="blue")
    assert [memory["id"] for memory in listed["memories"]] == ["a"]
    assert (await api.get("/memories", unit_type="fact"))["pagination"]["total"] == 1


async def test_pages_of_a_search_neither_repeat_nor_skip(api: Api) -> None:
    kept = {await keep(api, f"word {at}") for at in range(7)}
    found = [await ids(api, "word", limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert [len(page) for page in found] == [3, 3, 1, 0]
    assert {each for page in found for each in page} == kept


async def test_labels_are_given_and_taken(api: Api) -> None:
    await keep(api, "word", id="m")
    made = await api.post("/labels", name="Urgent", color="#f00")
    again = await api.post("/labels", name="urgent")
    assert made["label"]["id"] == again["label"]["id"]
    own = made["label"]["id"]
    await api.post(f"/memories/m/labels/{own}")
    assert [label["name"] for label in (await api.get("/memories/m/labels"))["labels"]] == ["Urgent"]
    assert await ids(api, "word", filter_labels=["urgent"]) == ["m"]
    assert (await api.get("/labels"))["labels"][0]["memory_count"] == 1
    await api.delete(f"/memories/m/labels/{own}")
    assert await ids(api, "word", filter_labels=["urgent"]) == []
    assert (await api.refused("POST", "/memories/m/labels/none", 404))["error_code"] == "label_not_found"


async def test_a_memory_moves_to_another_space_with_its_labels(api: Api) -> None:
    await keep(api, "word", id="m", labels=["a"])
    moved = await api.patch("/memories/m", {"space_id": "other"})
    assert (moved["space_id"], moved["labels"]) == ("other", ["a"])
    assert await ids(api, "word") == []
    assert await ids(api, "word", space_id="other") == ["m"]


async def test_working_memory_stands_until_it_is_written_anew(api: Api) -> None:
    path = "/agent/working-memory"
    assert (await api.get(path))["exists"] is False
    await api.put(path, {"content": "old", "date": "2026-01-01"})
    assert (await api.get(path))["content"] == "old"
    answer = await api.put(path, {"content": "new 缓存"})
    assert (answer["success"], answer["size_bytes"]) == (True, 10)
    assert (await api.get(path))["content"] == "new 缓存"
    assert (await api.get(path, date="2026-01-01"))["content"] == "old"
    assert (await api.get(f"{path}/history"))["dates"][-1] == "2026-01-01"


async def test_the_context_says_the_same_until_something_changes(api: Api) -> None:
    await api.put("/agent/working-memory", {"content": "Ship it"})
    await keep(api, "Weighs much", importance=0.9)
    await keep(api, "Weighs little", importance=0.1)
    first, second = [await api.get("/context/bundle") for _ in range(2)]
    assert first["compiled_hash"] == second["compiled_hash"]
    assert "Ship it" in first["rendered_markdown"]
    assert "Weighs much" in first["rendered_markdown"]
    assert "Weighs little" not in first["rendered_markdown"]
    without = await api.get("/context/bundle", include_working_memory="false")
    assert "Ship it" not in without["rendered_markdown"]


async def test_what_there_is_is_counted(api: Api) -> None:
    await keep(api, "word", labels=["a"])
    await api.thread("t", "one", "two")
    stats = await api.get("/stats")
    counted = {name: stats[name] for name in ("memory_count", "thread_count", "message_count", "label_count")}
    assert counted == {"memory_count": 1, "thread_count": 1, "message_count": 2, "label_count": 1}
    assert (await api.get("/health"))["database_connected"] is True
    assert (await api.get("/livez"))["status"] == "ok"
    assert (await api.get("/capabilities"))["checkpointed_append"] is True


async def test_spaces_are_made_by_use_and_by_name(api: Api) -> None:
    assert [space["id"] for space in (await api.get("/spaces"))["spaces"]] == ["default"]
    assert (await api.post("/spaces", {"name": "Team Red"}))["id"] == "team-red"
    assert (await api.patch("/spaces/team-red", {"name": "Red"}))["name"] == "Red"
    assert (await api.refused("PATCH", "/spaces/none", 404, json={"name": "x"}))["error_code"] == "space_not_found"
