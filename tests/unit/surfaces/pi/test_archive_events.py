"""What the sync of a session is told of Pi's events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from freehold.archive.sync import Event
from freehold.surfaces.pi.archive_events import ArchiveEvents
from freehold.surfaces.pi.start import SessionIdentity, Start

SESSION = {"id": "s1", "file": "/sessions/s1.jsonl", "name": None}


class Heard:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Mapping[str, Any]]] = []
        self.waited: list[str] = []
        self.ready = True
        self.failing = False

    def hear(self, event: Event, payload: Mapping[str, Any]) -> None:
        self.events.append((event, payload))

    async def observe(self, event: Event, payload: Mapping[str, Any]) -> None:
        self.waited.append(event)
        self.events.append((event, payload))


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def events(heard: Heard) -> ArchiveEvents:
    identity = SessionIdentity(id="s1", file="/sessions/s1.jsonl")
    return ArchiveEvents(heard, Start(cwd="/shop", agent_folder="/agent", session=identity), lambda: heard.ready)


@pytest.mark.anyio
async def test_a_session_is_heard_from_its_start_to_its_end(events: ArchiveEvents, heard: Heard) -> None:
    events.begin()
    events.observe("agent_settled", {"session": SESSION, "aborted": False})
    events.observe("session_before_compact", {"session": SESSION})
    await events.end({"session": SESSION, "reason": "quit"})
    assert [event for event, _ in heard.events] == ["start", "settled", "compact", "shutdown"]
    told: dict[str, Any] = {"session_id": "s1", "session_file": "/sessions/s1.jsonl", "cwd": "/shop", "entries": []}
    assert all(payload == told for _, payload in heard.events)
    assert heard.waited == ["shutdown"]


@pytest.mark.anyio
@pytest.mark.parametrize(("ready", "failing"), [(False, False), (True, True)])
async def test_an_end_that_could_only_wait_is_left_to_the_next_session(
    events: ArchiveEvents, heard: Heard, *, ready: bool, failing: bool
) -> None:
    heard.ready, heard.failing = ready, failing
    await events.end({"session": SESSION})
    assert [event for event, _ in heard.events] == ["shutdown"]
    assert heard.waited == []


@pytest.mark.anyio
async def test_an_end_without_a_file_waits_for_nothing_else_keeps_it(events: ArchiveEvents, heard: Heard) -> None:
    heard.ready = False
    await events.end({"session": SESSION | {"file": None}})
    assert heard.waited == ["shutdown"]


def test_entries_that_came_with_other_events_go_along_with_the_next_one(events: ArchiveEvents, heard: Heard) -> None:
    events.observe("turn_end", {"session": SESSION, "entries": [{"id": "a"}]})
    events.observe("agent_settled", {"session": SESSION, "entries": [{"id": "b"}]})
    events.observe("agent_settled", {"session": SESSION, "entries": []})
    assert [payload["entries"] for _, payload in heard.events] == [[{"id": "a"}, {"id": "b"}], []]


def test_a_session_without_a_file_is_told_without_one(events: ArchiveEvents, heard: Heard) -> None:
    events.observe("agent_settled", {"session": SESSION | {"file": None}})
    assert heard.events[0][1]["session_file"] == ""
