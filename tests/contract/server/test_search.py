"""What a search of threads finds, on both databases."""

from __future__ import annotations

import pytest

from freehold.server.search import candidates
from tests.contract.server.api import Api

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("缓存", "我们把缓存放在服务器上"),
        ("猫", "今天看见一只猫在睡觉"),
        ("gen", "用gen生成代码"),
        ("Redis", "我们用Redis缓存"),
        ("redis缓存", "我们用Redis缓存"),
        ("配置", "the config 配置file is here"),
        ("timeouts", "the timeout was too short"),
        ("HTTP_TIMEOUT", "set HTTP_TIMEOUT=30"),
        ("timeout", "set HTTP_TIMEOUT=30"),
        ("parseQuery", "call parseQuery(text)"),
        ("src/app.py", "see src/app.py line 3"),
        ("ＡＢＣ", "abc in full width"),
        ("1.2.3", "released 1.2.3 today"),
        ("café", "the cafe\u0301 opens"),
    ],
)
async def test_words_of_every_script_are_found(api: Api, query: str, text: str) -> None:
    await api.thread("other", "nothing of that kind", "完全不同的内容")
    await api.thread("this", text)
    assert await api.found(query) == ["this"]


async def test_a_thread_that_has_every_word_stands_before_those_that_have_some(api: Api) -> None:
    await api.thread("one", "redis " * 5)
    await api.thread("both", "the redis server ran into a timeout")
    await api.thread("other", "timeout " * 5)
    assert (await api.found("redis timeout"))[0] == "both"
    assert set(await api.found("redis timeout")) == {"one", "both", "other"}


async def test_phrases_signs_and_exclusions_hold(api: Api) -> None:
    await api.thread("a", "the connection pool is full")
    await api.thread("b", "the pool of each connection")
    await api.thread("c", "a pool in the garden")
    assert await api.found('"connection pool"') == ["a"]
    assert set(await api.found("+connection pool")) == {"a", "b"}
    assert await api.found("pool -connection") == ["c"]


async def test_the_messages_that_matched_come_with_snippets(api: Api) -> None:
    long = "word " * 400
    await api.thread("t", "hello", f"{long} the needle lies here {long}", "bye", title="A talk")
    answer = await api.get("/threads/search", query="needle")
    (thread,) = answer["threads"]
    (match,) = thread["matched_messages"]
    assert (match["message_index"], match["role"]) == (1, "assistant")
    assert "needle" in match["snippet"]
    assert len(match["snippet"]) <= 240
    assert (answer["total_found"], thread["total_matches"], thread["message_count"]) == (1, 1, 3)
    assert answer["search_metadata"]["total_is_lower_bound"] is False


async def test_a_title_is_searched_too(api: Api) -> None:
    await api.thread("t", "hello", title="Migration of the warehouse")
    assert await api.found("warehouse") == ["t"]


async def test_a_message_is_found_as_soon_as_the_append_has_been_answered(api: Api) -> None:
    await api.thread("t", "hello")
    await api.post("/threads/t/append", {"messages": [{"role": "user", "content": "giraffe"}]})
    assert await api.found("giraffe") == ["t"]


async def test_more_documents_than_one_search_looks_at_are_said_to_be_a_lower_bound(api: Api) -> None:
    count = candidates.BUDGET + 10
    messages = [{"role": "user", "content": f"common {at}", "external_id": str(at)} for at in range(count)]
    await api.post("/threads", {"thread_id": "many", "messages": messages})
    await api.thread("few", "common rarity")
    answer = await api.get("/threads/search", query="common")
    assert answer["search_metadata"]["total_is_lower_bound"] is True
    assert {thread["thread_id"] for thread in answer["threads"]} == {"many", "few"}
    assert (await api.found("common rarity"))[0] == "few"


async def test_nothing_is_found_for_what_is_no_word(api: Api) -> None:
    await api.thread("t", "hello")
    for query in ("?!", "\0", '""', "-", "zebra", "* OR NEAR(", "'; DROP TABLE messages; --zebra"):
        assert await api.found(query) == [], query
    assert await api.found("hello") == ["t"]
