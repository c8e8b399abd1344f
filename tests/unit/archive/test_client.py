"""Every failure a server can answer with: its code, and how often it was asked."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from freehold.archive.client import ArchiveClient, Draft
from freehold.errors import DeniedError, FreeholdError, UnavailableError, UsageError

from .misbehaving import Answer, Clock, answer, client_of, cut, dripping, huge, misbehaving, silent, slow

pytestmark = pytest.mark.anyio

EMPTY = answer(200, {"memories": [], "search_metadata": {"total_found": 0}})
MISSING_FIELD = b"Failed to deserialize the JSON body into the target type: missing field `content` at line 1 column 2"


async def failed(client: ArchiveClient) -> FreeholdError:
    with pytest.raises(FreeholdError) as caught:
        await client.search_memories("anything", limit=10)
    return caught.value


@pytest.mark.parametrize(
    ("how", "code", "family", "asked"),
    [
        (slow, "timeout", UnavailableError, 3),
        (dripping, "timeout", UnavailableError, 3),
        (cut, "server_error", UnavailableError, 3),
        (silent, "server_error", UnavailableError, 3),
        (answer(500, {"detail": "boom"}), "server_error", UnavailableError, 3),
        (answer(503, b"<html>starting</html>", "text/html"), "server_error", UnavailableError, 3),
        (answer(200, b"not json"), "server_error", UnavailableError, 1),
        (answer(200, b"\xff\xfe"), "server_error", UnavailableError, 1),
        (answer(200, []), "server_error", UnavailableError, 1),
        (answer(200, {"memories": "many"}), "server_error", UnavailableError, 1),
        (answer(307, b""), "server_error", UnavailableError, 1),
        (huge, "server_error", UnavailableError, 1),
        (answer(401, {"detail": "Missing API key"}), "unauthorized", DeniedError, 1),
        (answer(403, {"detail": "read only"}), "unauthorized", DeniedError, 1),
        (answer(404, {"detail": "Memory not found: x"}), "not_found", UsageError, 1),
        (answer(400, {"detail": "no"}), "bad_request", UsageError, 1),
        (answer(422, MISSING_FIELD, "text/plain"), "bad_request", UsageError, 1),
        (answer(429, {"detail": "blocked"}), "server_error", UnavailableError, 1),
        (
            answer(409, {"error_code": "checkpoint_conflict", "total_messages": 4}),
            "checkpoint_conflict",
            UsageError,
            1,
        ),
    ],
)
async def test_each_failure_has_its_code_and_only_what_is_transient_is_asked_again(
    how: Answer, code: str, family: type[FreeholdError], asked: int
) -> None:
    clock = Clock()
    patience = 0.02 if code == "timeout" else 1.0
    async with misbehaving(how) as server, client_of(server.url, clock, patience=patience) as client:
        error = await failed(client)
        assert (error.code, type(error)) == (code, family)
        assert len(server.asked) == error.data.get("attempts", 1) == asked
        assert clock.slept == [0.375, 0.75][: asked - 1]


async def test_a_server_that_is_not_there_is_tried_three_times() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody else gets the port, and it refuses
        clock = Clock()
        async with client_of(f"http://127.0.0.1:{taken.getsockname()[1]}", clock) as client:
            error = await failed(client)
    assert (error.code, error.data["attempts"], len(clock.slept)) == ("backend_unreachable", 3, 2)


async def test_a_client_that_was_closed_meanwhile_has_a_code() -> None:
    async with misbehaving(EMPTY) as server:
        async with client_of(server.url) as client:
            pass
        error = await failed(client)
    assert (error.code, server.asked) == ("backend_unreachable", [])


async def test_what_fails_once_and_then_works_has_worked() -> None:
    async with misbehaving(cut, answer(502, b""), EMPTY) as server, client_of(server.url) as client:
        assert (await client.search_memories("anything", limit=10)).items == ()
        assert len(server.asked) == 3


@pytest.mark.parametrize("how", [slow, cut, answer(500, {})])
async def test_creating_a_memory_is_never_repeated(how: Answer) -> None:
    async with misbehaving(how) as server, client_of(server.url, patience=0.02) as client:
        with pytest.raises(UnavailableError) as caught:
            await client.create_memory(Draft(title="a", content="b"))
        assert len(server.asked) == caught.value.data["attempts"] == 1


async def test_creating_a_memory_waits_thirty_seconds_and_everything_else_eight() -> None:
    async with misbehaving(slow) as server, client_of(server.url, patience=0.01) as client:
        with pytest.raises(UnavailableError) as creating:
            await client.create_memory(Draft(content="b"))
        with pytest.raises(UnavailableError) as changing:
            await client.update_memory("m", Draft(content="b"))
    assert (creating.value.data["seconds"], changing.value.data["seconds"]) == (0.3, 0.08)


async def test_the_words_of_a_refusal_reach_the_agent() -> None:
    async with misbehaving(answer(422, MISSING_FIELD, "text/plain")) as server, client_of(server.url) as client:
        assert "missing field `content`" in (await failed(client)).message


async def test_a_key_goes_in_both_headers_and_into_no_error() -> None:
    async with misbehaving(answer(401, {"detail": "no"})) as server, client_of(server.url, key="k-secret") as client:
        error = await failed(client)
    sent = server.asked[0].lower()
    assert "authorization: bearer k-secret" in sent
    assert "x-nmem-api-key: k-secret" in sent
    assert "k-secret" not in error.message + str(error.data)


async def test_a_key_is_not_sent_on_to_where_a_server_points() -> None:
    async with misbehaving(EMPTY) as other:
        moved = b"HTTP/1.1 302 Found\r\nlocation: " + other.url.encode() + b"\r\ncontent-length: 0\r\n\r\n"

        async def redirect(stream: Any) -> None:
            await stream.send(moved)

        async with misbehaving(redirect) as server, client_of(server.url, key="k") as client:
            assert (await failed(client)).code == "server_error"
        assert other.asked == []


async def test_an_id_cannot_lead_to_another_address() -> None:
    async with misbehaving(answer(404, {})) as server, client_of(server.url) as client:
        with pytest.raises(UsageError):
            await client.thread("../memories?x=1#y", limit=1)
    assert server.asked[0].startswith("GET /threads/..%2Fmemories%3Fx%3D1%23y?")


async def test_half_a_character_is_refused_before_it_is_sent() -> None:
    async with misbehaving(EMPTY) as server, client_of(server.url) as client:
        with pytest.raises(UsageError) as caught:
            await client.create_memory(Draft(content="\ud800"))
        assert (caught.value.code, server.asked) == ("invalid_argument", [])
