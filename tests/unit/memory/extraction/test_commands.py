from __future__ import annotations

from typing import Any

import msgspec
import pytest

from freehold.errors import FreeholdError
from freehold.memory.extraction.commands import catalog, edit
from freehold.memory.extraction.extraction import Extraction
from freehold.memory.extraction.settings import ExtractionSettings
from tests.unit.memory.extraction.conftest import Place
from tests.unit.memory.extraction.fakes import ScriptedModel, answer, memory

pytestmark = pytest.mark.anyio

HELD = memory("Port", "The server listens on port 8123, the page said.", evidence=[2])


async def with_one_held(place: Place, proposed: dict[str, Any] = HELD) -> Extraction:
    extraction = place.extraction(ScriptedModel(answer(proposed)))
    talk = place.talk(extraction)
    said = [*talk.prompt("Look at the page."), talk.entry("toolResult", "Port 8123", "read_page")]
    talk.turn([*said, talk.entry("assistant", "It is 8123.")])
    talk.end()
    talk.settle()
    await extraction.extract()
    return extraction


async def code_of(extraction: Extraction, line: str) -> str:
    with pytest.raises(FreeholdError) as caught:
        await catalog.call(extraction, line)
    return caught.value.code


async def test_the_memory_can_be_kept_by_hand(place: Place) -> None:
    extraction = place.extraction()
    saved = await catalog.call(extraction, "save Ports: The web server listens on 8080.")
    assert saved.data["name"] == "ports"
    await catalog.call(extraction, "save Building\nRun make.\nThen ninja.")
    assert place.bodies() == {"building": "Run make.\nThen ninja.\n", "ports": "The web server listens on 8080.\n"}
    assert {one["name"] for one in (await catalog.call(extraction, "list")).data["topics"]} == {"building", "ports"}
    assert "8080" in (await catalog.call(extraction, "show ports")).text
    assert "(ports.md)" in (await catalog.call(extraction, "show")).text
    assert (await catalog.call(extraction, "search web server")).data["hits"][0]["name"] == "ports"
    assert (await catalog.call(extraction, "path ports")).text.endswith("ports.md")
    findings = (await catalog.call(extraction, "doctor")).data["findings"]
    assert [one for one in findings if one["state"] == "wrong" and one["kind"] != "stale_date"] == []
    await catalog.call(extraction, "forget ports")
    assert list(place.bodies()) == ["building"]


async def test_an_edit_gives_the_text_out_and_takes_it_back(place: Place) -> None:
    extraction = place.extraction()
    place.store.save("Ports", "8080\n", description="who listens")
    told = (await catalog.call(extraction, "edit ports")).data["edit"]
    await edit.keep(extraction, told["name"], told["text"].replace("8080", "9090"), told["revision"])
    topic = place.store.topic("ports")
    assert (topic.body, topic.description) == ("9090\n", "who listens")
    with pytest.raises(FreeholdError) as caught:
        await edit.keep(extraction, told["name"], told["text"], told["revision"])
    assert caught.value.code == "conflict"


async def test_what_waits_is_listed_shown_and_written_once_it_is_approved(place: Place) -> None:
    extraction = await with_one_held(place)
    assert (await catalog.call(extraction, "status")).data["pending"] == 1
    listed = (await catalog.call(extraction, "pending")).data["pending"]
    assert [one["number"] for one in listed] == [1]
    shown = (await catalog.call(extraction, "pending 1")).text
    assert "8123" in shown
    assert "read_page" in shown
    await catalog.call(extraction, "pending approve 1")
    assert "8123" in place.bodies()["port"]
    assert (await catalog.call(extraction, "pending")).data["pending"] == []
    await catalog.call(extraction, "undo")
    assert place.bodies() == {}


async def test_what_was_rejected_is_gone(place: Place) -> None:
    extraction = await with_one_held(place)
    await catalog.call(extraction, "pending reject 1")
    assert place.bodies() == {}
    assert await code_of(extraction, "pending approve 1") == "not_found"


async def test_an_approval_of_a_change_to_a_topic_that_was_changed_since_is_refused(place: Place) -> None:
    place.store.save("Page", "Look at the page of the server first.\n")
    change = memory("Page", "Look at the page of the server first: port 8123.\n", topic="page", evidence=[2])
    extraction = await with_one_held(place, change)
    file = place.store.path / "page.md"
    file.write_text(file.read_text() + "By hand.\n")
    assert await code_of(extraction, "pending approve 1") == "conflict"
    assert place.bodies()["page"].endswith("By hand.\n")
    assert len(extraction.records.pending.all()) == 1


async def test_a_number_that_was_given_out_is_never_another_memorys(place: Place) -> None:
    extraction = await with_one_held(place)
    await catalog.call(extraction, "pending reject 1")
    await with_one_held(place)
    assert [held.number for held in extraction.records.pending.all()] == [2]


async def test_on_and_off_are_handed_to_who_keeps_the_settings(place: Place) -> None:
    kept: list[ExtractionSettings] = []
    extraction = Extraction(place.store, ScriptedModel("x"), clock=place.clock, remember=kept.append)
    assert not extraction.status()["autoExtract"]
    await catalog.call(extraction, "on")
    await catalog.call(extraction, "off")
    assert [settings.auto_extract for settings in kept] == [True, False]


async def test_the_status_tells_the_last_pass_of_any_process(place: Place) -> None:
    await with_one_held(place)
    status = (await catalog.call(place.extraction(), "")).data
    assert status["last"]["result"] == "written"
    assert status["budget"]["passes"] == 1
    assert msgspec.json.encode(status)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("nonsense", "invalid_argument"),
        ("save", "invalid_argument"),
        ("save no colon", "invalid_argument"),
        ("save : text", "invalid_argument"),
        ("show nobody", "unknown_topic"),
        ("edit", "invalid_argument"),
        ("edit ../x", "name_not_allowed"),
        ("forget nobody", "unknown_topic"),
        ("path ../x", "name_not_allowed"),
        ("search", "invalid_argument"),
        ("pending approve", "invalid_argument"),
        ("pending approve x", "invalid_argument"),
        ("pending drop 1", "invalid_argument"),
        ("undo", "not_found"),
        ("undo \u0663", "invalid_argument"),
    ],
)
async def test_a_wrong_call_says_so(place: Place, line: str, code: str) -> None:
    assert await code_of(place.extraction(), line) == code


def test_settings_are_read_as_users_write_them() -> None:
    read = msgspec.json.decode(b'{"autoExtract": true, "idleSeconds": 60}', type=ExtractionSettings)
    assert (read.auto_extract, read.idle_seconds, read.extract_model) == (True, 60.0, "qoder/fast")
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"every": 0}', type=ExtractionSettings)
