"""Every write can be taken back, and none is left half done."""

from __future__ import annotations

from pathlib import Path

import pytest

from freehold.errors import FreeholdError
from freehold.memory.batch import Change
from freehold.memory.extraction import json_file
from freehold.memory.extraction.commands import catalog
from freehold.memory.extraction.extraction import Extraction
from freehold.memory.extraction.journal import Journal, Record
from freehold.memory.store import Store
from freehold.memory.topic import render
from tests.unit.memory.extraction.conftest import Place
from tests.unit.memory.extraction.fakes import ScriptedModel, answer, memory

pytestmark = pytest.mark.anyio

OLD = "The nightly build runs on the machine called Adler, with the lamp on.\n"
NEW = "The nightly build runs on the machine called Falke, with the lamp on.\n"


async def written(place: Place) -> Extraction:
    """A pass that has changed one topic and made another."""
    place.store.save("Nightly build", OLD)
    change = memory("Nightly build", NEW, topic="nightly-build")
    extraction = place.extraction(ScriptedModel(answer(change, memory("Lamp", "The lamp is on at night.\n"))))
    place.talk(extraction).say(f"{NEW} The lamp is on at night.")
    assert (await extraction.extract()).wrote == ("nightly-build", "lamp")
    return extraction


async def test_a_write_is_taken_back_byte_for_byte(place: Place) -> None:
    saved = place.store.save("Nightly build", OLD)
    before = (saved.path.read_bytes(), place.store.index())
    extraction = await written(place)
    await catalog.call(extraction, "undo")
    assert (saved.path.read_bytes(), place.store.index()) == before
    assert list(place.bodies()) == ["nightly-build"]


async def test_a_write_that_was_edited_since_is_not_taken_back_and_both_versions_are_named(place: Place) -> None:
    extraction = await written(place)
    ours = place.store.revision("nightly-build")
    file = place.store.path / "nightly-build.md"
    file.write_text(file.read_text() + "By hand: only on weekdays.\n")
    with pytest.raises(FreeholdError) as caught:
        await catalog.call(extraction, "undo")
    assert caught.value.code == "conflict"
    assert caught.value.data["name"] == "nightly-build"
    assert all(revision in caught.value.message for revision in (ours, place.store.revision("nightly-build")))
    assert place.bodies()["nightly-build"].endswith("By hand: only on weekdays.\n")
    assert "lamp" in place.bodies()
    assert extraction.records.journal.records()[-1].state == "written"


async def test_a_topic_that_was_forgotten_since_is_a_conflict_too(place: Place) -> None:
    extraction = await written(place)
    place.store.forget("lamp")
    with pytest.raises(FreeholdError) as caught:
        await catalog.call(extraction, "undo")
    assert caught.value.code == "conflict"
    assert place.bodies() == {"nightly-build": NEW}


async def test_each_of_several_writes_has_its_number(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(*[answer(memory(f"T{n}", f"Fact {n}.\n")) for n in range(3)]))
    talk = place.talk(extraction)
    numbers: list[int] = []
    for number in range(3):
        talk.say(f"Fact {number}. It is T{number}.")
        numbers.append((await extraction.extract()).number)
    assert numbers == [1, 2, 3]
    await catalog.call(extraction, "undo 2")
    assert sorted(place.bodies()) == ["t0", "t2"]
    for call in ("undo 2", "undo 9", "undo x"):
        with pytest.raises(FreeholdError) as caught:
            await catalog.call(extraction, call)
        assert caught.value.code in {"not_found", "invalid_argument"}


async def test_what_was_taken_back_is_not_written_again_by_its_job(place: Place) -> None:
    extraction = await written(place)
    job = extraction.records.journal.records()[-1].jobs
    await catalog.call(extraction, "undo")
    assert job
    assert set(job) <= extraction.records.journal.jobs()


@pytest.mark.parametrize("done", [0, 1, 2])
@pytest.mark.parametrize("state", ["begun", "undoing"])
def test_what_a_kill_left_half_written_is_completed(tmp_path: Path, done: int, state: str) -> None:
    store, journal, changes = half_written(tmp_path, done, state)
    assert [record.state for record in journal.recover(store.batch())] == ["written" if state == "begun" else "undone"]
    wanted = {one.name: one.after if state == "begun" else one.before for one in changes}
    assert {topic.name: render(topic) for topic in store.topics()} == {k: v for k, v in wanted.items() if v}
    assert store.reindex(dry_run=True) == []
    assert journal.recover(store.batch()) == []


def test_half_a_write_that_met_a_persons_change_is_taken_back_and_the_change_stays(tmp_path: Path) -> None:
    store, journal, _ = half_written(tmp_path, 1, "begun")
    (store.path / "new.md").write_text("by hand\n")
    assert [record.state for record in journal.recover(store.batch())] == ["abandoned"]
    assert store.topic("old").body == OLD
    assert store.topic("new").body == "by hand\n"


def half_written(folder: Path, done: int, state: str) -> tuple[Store, Journal, list[Change]]:
    """A store where a kill came after `done` of two changes: of the topic `old`, and to a new one."""
    store = Store.open(folder / "store")
    store.save("Old", OLD)
    old = render(store.topic("old"))
    changes = [Change("old", old, old.replace("Adler", "Falke")), Change("new", None, "---\ntitle: New\n---\n\nx\n")]
    steps = changes if state == "begun" else [one.reversed() for one in reversed(changes)]
    if state == "undoing":
        for one in changes:
            put(store, one)
        store.reindex()
    for one in steps[:done]:
        put(store, one)
    json_file.save(folder / "journal" / "00000001.json", {"number": 1, "when": "", "changes": changes, "state": state})
    assert json_file.load(folder / "journal" / "00000001.json", Record)
    return store, Journal(folder / "journal"), changes


def put(store: Store, change: Change) -> None:
    file = store.path / f"{change.name}.md"
    file.unlink() if change.after is None else file.write_text(change.after)


async def test_a_full_disk_in_the_middle_leaves_nothing_written(place: Place) -> None:
    place.store.save("Nightly build", OLD)
    # A folder stands where the second topic is to be written.
    (place.store.path / "lamp.md").mkdir()
    change = memory("Nightly build", NEW, topic="nightly-build")
    extraction = place.extraction(ScriptedModel(answer(change, memory("Lamp", "The lamp is on at night.\n"))))
    place.talk(extraction).say(f"{NEW} The lamp is on at night.")
    outcome = await extraction.extract()
    assert outcome.wrote == ()
    assert place.bodies() == {"nightly-build": OLD}
    assert "lamp" not in place.store.index()
    assert extraction.records.journal.records() == []
