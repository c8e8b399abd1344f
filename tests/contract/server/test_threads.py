"""Threads over the API, on both databases."""

from __future__ import annotations

import pytest

from tests.contract.server.api import Api

pytestmark = pytest.mark.anyio

AWKWARD = "a\0b \uf8ff \uf8ff0 'quotes' \"double\" \\ \u202e 缓存 \U0001f600\r\n\t"


def said(*contents: str, **more: object) -> list[dict[str, object]]:
    return [{"role": "user", "content": content, **more} for content in contents]


async def test_what_was_said_comes_back_byte_for_byte(api: Api) -> None:
    made = await api.thread("t", AWKWARD, title=AWKWARD, metadata={AWKWARD: [AWKWARD]})
    assert made["thread"]["thread_id"] == "t"
    assert made["thread"]["message_count"] == 1
    read = await api.get("/threads/t")
    assert read["messages"][0]["content"] == AWKWARD
    assert read["thread"]["title"] == AWKWARD
    assert read["thread"]["metadata"] == {AWKWARD: [AWKWARD]}


async def test_a_thread_is_found_by_its_name_and_by_its_uuid(api: Api) -> None:
    made = await api.thread("t", "one")
    assert (await api.get(f"/threads/{made['thread']['id']}"))["thread"]["thread_id"] == "t"


async def test_pages_of_messages_end_with_an_empty_one(api: Api) -> None:
    await api.thread("t", *map(str, range(5)))
    assert await api.contents("t", offset=1, limit=2) == ["1", "2"]
    assert await api.contents("t", offset=4) == ["4"]
    assert await api.contents("t", offset=5) == []
    assert await api.contents("t") == list("01234")


async def test_a_second_thread_of_one_id_is_refused(api: Api) -> None:
    await api.thread("t", "one")
    body = {"thread_id": "t", "messages": said("two")}
    answer = await api.refused("POST", "/threads", 409, json=body)
    assert answer["error_code"] == "thread_exists"
    assert await api.contents("t") == ["one"]


async def test_what_is_not_there_says_so_with_a_code(api: Api) -> None:
    for method, path in (("GET", "/threads/none"), ("DELETE", "/threads/none")):
        answer = await api.refused(method, path, 404)
        assert answer == {"detail": "Thread not found", "error_code": "thread_not_found", "retryable": False}
    append = await api.refused("POST", "/threads/none/append", 404, json={"messages": said("x")})
    assert append["error_code"] == "thread_not_found"
    assert (await api.refused("GET", "/nowhere", 404))["error_code"] == "endpoint_not_found"
    assert (await api.refused("PUT", "/threads", 405))["error_code"] == "method_not_allowed"


async def test_a_body_that_cannot_be_read_is_answered_as_text(api: Api) -> None:
    text = await api.refused("POST", "/threads", 422, json={"messages": []})
    assert text.startswith("Failed to deserialize the JSON body into the target type: missing field `thread_id`")
    await api.refused("POST", "/threads", 422, content=b"{")
    await api.refused("POST", "/threads", 422, content=b"\xff")
    await api.refused("GET", "/threads/search", 422)
    await api.refused("GET", "/threads/search", 422, params={"query": ""})
    await api.refused("GET", "/threads", 422, params={"limit": "0"})


async def test_a_message_is_appended_once_by_its_external_id(api: Api) -> None:
    await api.thread("t", "one")
    for at, place in enumerate(({"external_id": "e"}, {"metadata": {"source_message_id": "f"}}, {"message_id": "g"})):
        for expected in (1, 0):
            answer = await api.post("/threads/t/append", {"messages": said("two", **place)})
            assert answer["messages_added"] == expected, place
        assert answer["total_messages"] == at + 2


async def test_other_content_under_a_known_id_is_kept_out_with_a_warning(api: Api) -> None:
    await api.post("/threads", {"thread_id": "t", "messages": said("first", external_id="e")})
    answer = await api.post("/threads/t/append", {"messages": said("changed", external_id="e")})
    assert answer["messages_added"] == 0
    assert len(answer["warnings"]) == 1
    assert await api.contents("t") == ["first"]


async def test_a_growing_suffix_that_is_sent_again_adds_what_is_new(api: Api) -> None:
    await api.post("/threads", {"thread_id": "t", "messages": said("a", "b")})
    answer = await api.post("/threads/t/append", {"messages": said("a", "b", "c")})
    assert answer["messages_added"] == 1
    assert await api.contents("t") == ["a", "b", "c"]


async def test_people_may_say_the_same_again(api: Api) -> None:
    await api.thread("t", "yes", "done")
    await api.post("/threads/t/append", {"messages": said("yes")})
    assert await api.contents("t") == ["yes", "done", "yes"]


async def test_messages_with_a_time_are_known_by_it_wherever_they_stand(api: Api) -> None:
    first, second = said("yes", timestamp="2026-07-18T10:00:00Z"), said("yes", timestamp="2026-07-18T11:00:00Z")
    await api.post("/threads", {"thread_id": "t", "messages": [*first, *second]})
    assert (await api.post("/threads/t/append", {"messages": first}))["messages_added"] == 0


async def test_without_deduplication_everything_is_added(api: Api) -> None:
    await api.thread("t", "yes")
    answer = await api.post("/threads/t/append", {"messages": said("yes"), "deduplicate": False})
    assert answer["messages_added"] == 1


async def test_a_key_gives_messages_without_an_id_one(api: Api) -> None:
    await api.thread("t", "one")
    body = {"messages": said("x", "y"), "idempotency_key": "K"}
    assert [(await api.post("/threads/t/append", body))["messages_added"] for _ in range(2)] == [2, 0]
    assert (await api.get("/threads/t"))["messages"][1]["external_id"] == "idem:K:0"


async def test_a_checkpoint_is_acknowledged_and_its_retry_gets_the_first_answer(api: Api) -> None:
    await api.thread("t", "one")
    body = {"messages": said("two"), "idempotency_key": "K", "expected_message_count": 1}
    first = await api.post("/threads/t/append", body)
    assert (first["append_mode"], first["messages_added"], first["total_messages"]) == ("checkpointed", 1, 2)
    assert await api.post("/threads/t/append", body) == first
    other = {**body, "messages": said("three")}
    assert (await api.refused("POST", "/threads/t/append", 409, json=other))["error_code"] == "checkpoint_conflict"


async def test_a_checkpoint_with_the_wrong_count_writes_nothing(api: Api) -> None:
    await api.thread("t", "one")
    body = {"messages": said("two"), "expected_message_count": 5}
    answer = await api.refused("POST", "/threads/t/append", 409, json=body)
    assert (answer["error_code"], answer["retryable"], answer["total_messages"]) == ("checkpoint_conflict", False, 1)
    assert await api.contents("t") == ["one"]
    assert await api.found("two") == []


async def test_a_file_of_the_server_is_never_read(api: Api) -> None:
    await api.thread("t", "one")
    for path in ("/threads/t/append", "/threads/import"):
        answer = await api.refused("POST", path, 400, json={"file_path": "/etc/passwd", "format": "auto"})
        assert answer["error_code"] == "bad_request"


async def test_threads_are_listed_with_the_last_import_first_and_by_source_in_any_case(api: Api) -> None:
    for at, source in enumerate(("Codex", "pi", "codex")):
        await api.thread(f"t{at}", "x", source=source, import_date=f"2026-07-1{at}T00:00:00Z")
    listed = await api.get("/threads", limit=2)
    assert [thread["id"] for thread in listed["threads"]] == ["t2", "t1"]
    assert listed["threads"][0]["date"] == "Jul 12, 2026"
    assert listed["pagination"] == {"limit": 2, "offset": 0, "total": 3, "has_more": True}
    by_source = await api.get("/threads", source="CODEX")
    assert [thread["id"] for thread in by_source["threads"]] == ["t2", "t0"]
    assert await api.found("x", source="CoDeX") == ["t2", "t0"]


async def test_metadata_is_merged_over_or_under_what_is_there(api: Api) -> None:
    await api.thread("t", "one", metadata={"a": 1})
    under = await api.post("/threads/t/metadata/merge", {"metadata": {"a": 2, "b": 2}, "only_missing": True})
    assert under["thread"]["metadata"] == {"a": 1, "b": 2}
    over = await api.post("/threads/t/metadata/merge", {"metadata": {"a": 3}})
    assert over["thread"]["metadata"] == {"a": 3, "b": 2}


async def test_a_deleted_thread_is_gone_from_the_search_too(api: Api) -> None:
    await api.thread("t", "zebra", "giraffe", title="okapi")
    await api.post("/memories", {"content": "from it", "source_thread_id": "t"})
    gone = await api.delete("/threads/t", cascade_delete_memories="true")
    assert gone == {"success": True, "deleted_messages": 2, "deleted_memories": 1}
    for word in ("zebra", "giraffe", "okapi"):
        assert await api.found(word) == []
    await api.thread("t", "lion")
    assert await api.found("lion") == ["t"]
    assert await api.found("zebra") == []


async def test_spaces_keep_threads_of_one_name_apart(api: Api) -> None:
    for space in ("one", "two"):
        await api.thread("t", f"said in {space}", space_id=space)
    assert await api.contents("t", space_id="two") == ["said in two"]
    assert await api.found("said", space_id="one") == ["t"]
    assert await api.found("two", space_id="one") == []
    await api.refused("GET", "/threads/t", 404)


async def test_one_bad_thread_of_an_import_says_why_and_stops_no_other(api: Api) -> None:
    threads = [
        {"thread_id": "good", "messages": said("fine")},
        {"thread_id": "bad", "messages": said("x"), "expected_message_count": 3},
        {"thread_id": "empty"},
    ]
    answer = await api.post("/threads/import", {"threads": threads})
    assert (answer["success"], answer["imported_count"], answer["failed_count"]) == (False, 1, 2)
    assert [result.get("error_code") for result in answer["results"]] == [None, "checkpoint_conflict", "bad_request"]
    assert await api.contents("good") == ["fine"]


async def test_a_single_import_that_fails_has_the_status_of_its_failure(api: Api) -> None:
    await api.thread("t", "one")
    body = {"thread_id": "t", "messages": said("x"), "expected_message_count": 3}
    answer = await api.refused_with_body("POST", "/threads/import", 409, json=body)
    assert answer["error_code"] == "checkpoint_conflict"
    body["expected_message_count"] = 1
    assert (await api.post("/threads/import", body))["results"][0]["append_mode"] == "checkpointed"
