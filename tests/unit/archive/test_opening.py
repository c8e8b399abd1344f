"""The way to a backend, and what happens when it is not what it seemed."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio
import pytest

from freehold.archive.archive import Archive, Connection
from freehold.archive.backend import EMBEDDED_URL, Backend
from freehold.archive.opening import opened
from freehold.errors import FreeholdError, UnavailableError

from .misbehaving import Answer, answer, cut, misbehaving
from .stub import Stub, connection_to

pytestmark = pytest.mark.anyio


class Embedded:
    """The embedded server: counts how often it was started and stopped."""

    def __init__(self) -> None:
        self.stub = Stub()
        self.started = self.stopped = 0

    @asynccontextmanager
    async def __call__(self) -> AsyncGenerator[Any]:
        self.started += 1
        try:
            yield self.stub.app
        finally:
            self.stopped += 1


async def test_the_embedded_server_runs_as_long_as_the_connection() -> None:
    embedded = Embedded()
    async with opened(Backend("embedded", EMBEDDED_URL, ""), embedded) as connection:
        assert (await connection.client.threads(limit=1)).items == ()
        assert (embedded.started, embedded.stopped) == (1, 0)
    assert embedded.stopped == 1


async def test_a_fault_inside_the_embedded_server_is_a_server_error() -> None:
    embedded = Embedded()

    def boom(number: int) -> None:
        raise RuntimeError

    embedded.stub.before = boom
    async with opened(Backend("embedded", EMBEDDED_URL, ""), embedded) as connection:
        with pytest.raises(FreeholdError) as caught:
            await connection.client.append("x", {"messages": []})
    assert caught.value.code == "server_error"


@pytest.mark.parametrize("how", [answer(200, b"hello"), answer(200, {"hello": 1}), answer(404, {}), cut])
async def test_a_listener_that_is_no_archive_is_left_alone(how: Answer) -> None:
    embedded = Embedded()
    async with misbehaving(how) as server:
        listening = Backend("listening", server.url, "", key="k-secret", space="garden")
        async with opened(listening, embedded) as connection:
            assert (connection.backend.kind, connection.backend.space) == ("embedded", "garden")
            assert connection.backend.notes
        assert "k-secret" not in "".join(server.asked)


async def test_a_listener_that_is_an_archive_is_used_with_its_key_and_space() -> None:
    embedded = Embedded()
    threads = answer(200, {"threads": [], "pagination": {"total": 0}})
    async with misbehaving(answer(200, {"status": "ok"}), threads) as server:
        listening = Backend("listening", server.url, "", key="k", space="garden")
        async with opened(listening, embedded) as connection:
            await connection.client.threads(limit=1)
        assert "space_id=garden" in server.asked[1]
        assert "Bearer k" in server.asked[1]
    assert embedded.started == 0


async def test_a_named_server_is_used_without_a_look_at_it() -> None:
    async with opened(Backend("named", "http://127.0.0.1:1", ""), Embedded()) as connection:
        assert connection.backend.kind == "named"


async def test_many_first_calls_open_one_connection() -> None:
    embedded = Embedded()
    async with anyio.create_task_group() as tasks:
        archive = Archive(tasks, lambda: opened(Backend("embedded", EMBEDDED_URL, ""), embedded))
        async with anyio.create_task_group() as callers:
            for _ in range(5):
                callers.start_soon(archive.client)
        assert (embedded.started, embedded.stopped) == (1, 0)
        tasks.cancel_scope.cancel()
    assert embedded.stopped == 1


async def test_what_fails_to_open_fails_that_call_and_is_tried_again_at_the_next() -> None:
    stub, tries = Stub(), list[int]()

    @asynccontextmanager
    async def opener() -> AsyncGenerator[Connection]:
        tries.append(1)
        if len(tries) == 1:
            raise UnavailableError("database_failed", "The disk is full.")
        async with connection_to(stub) as connection:
            yield connection

    async with anyio.create_task_group() as tasks:
        archive = Archive(tasks, opener)
        with pytest.raises(UnavailableError) as caught:
            await archive.client()
        assert caught.value.code == "database_failed"
        assert (await archive.connection()).client
        tasks.cancel_scope.cancel()


async def test_a_listener_that_went_away_is_looked_for_again() -> None:
    gone, there = Stub(), Stub()
    kinds = ["listening", "embedded"]

    def opener() -> AbstractAsyncContextManager[Connection]:
        kind: Any = kinds.pop(0)
        return connection_to(gone if kind == "listening" else there, backend=Backend(kind, EMBEDDED_URL, ""))

    async with anyio.create_task_group() as tasks:
        archive = Archive(tasks, opener)
        first = await archive.client()
        assert await archive.client() is first
        gone.down = True
        with pytest.raises(UnavailableError):
            await first.threads(limit=1)
        assert (await archive.connection()).backend.kind == "embedded"
        tasks.cancel_scope.cancel()
