from __future__ import annotations

import os
import threading
from pathlib import Path

import filelock

from freehold.memory.folder import LOCK
from freehold.memory.index import Change
from freehold.memory.store import Budget, Store
from tests.unit.memory.refusals import LONG, refused


def test_what_links_out_of_the_store_is_neither_read_nor_written(store: Store, tmp_path: Path) -> None:
    store.prepare()
    outside = tmp_path / "outside.md"
    outside.write_text("private")
    (store.path / "link.md").symlink_to(outside)
    topic = store.topic("link")
    assert (topic.body, bool(topic.broken)) == ("", True)
    assert (
        refused(lambda: store.save("L", "new\n", name="link", expected_revision=topic.revision)).code
        == "topic_protected"
    )
    (store.path / "MEMORY.md").symlink_to(outside)
    assert refused(lambda: store.save("L", "new\n")).code == "path_outside_store"
    assert outside.read_text() == "private"
    assert [topic.name for topic in store.topics()] == ["link"]


def test_a_pipe_in_a_topics_place_does_not_make_anyone_wait(store: Store) -> None:
    store.prepare()
    os.mkfifo(store.path / "pipe.md")
    assert store.topic("pipe").broken


def test_reindex_shows_what_it_will_do_and_keeps_what_a_person_wrote(store: Store) -> None:
    store.save("A", "one\n")
    store.save("B", "two\n")
    (store.path / "c.md").write_text("# By hand\n")
    (store.path / "MEMORY.md").write_text(
        "# Ours\n\nRead this.\n\n- [My words](a.md) - mine\n- [Gone](gone.md)\n- not a link\n"
    )
    before = store.index()
    expected = [
        Change("remove", "gone", "- [Gone](gone.md)"),
        Change("add", "b", "- [B](b.md)"),
        Change("add", "c", "- [By hand](c.md)"),
    ]
    assert store.reindex(dry_run=True) == expected
    assert store.index() == before
    assert store.reindex() == expected
    assert (
        store.index()
        == "# Ours\n\nRead this.\n\n- [My words](a.md) - mine\n- [B](b.md)\n- [By hand](c.md)\n- not a link\n"
    )
    assert store.reindex() == []


def test_the_block_is_the_same_bytes_while_nothing_has_changed(store: Store) -> None:
    store.save("A", "one\n")
    before = store.block()
    os.utime(store.path / "a.md")
    (store.path / ".state.json").unlink()
    assert store.block() == before != ""


def test_saving_warns_before_the_budget_is_reached(tmp_path: Path) -> None:
    store = Store.open(tmp_path, budget=Budget(lines=10, bytes=25_000))
    warnings = [store.save(f"Topic {number}", f"text {number}\n").warnings for number in range(7)]
    assert warnings[:5] == [()] * 5
    assert all(len(sentences) == 1 for sentences in warnings[5:])


def test_a_lock_that_is_not_given_back_is_an_error_at_the_deadline(store: Store) -> None:
    store.save("A", "one\n")
    hasty = Store.open(store.path, deadline=0.05)
    with filelock.FileLock(store.path / LOCK):
        assert refused(lambda: hasty.save("B", "two\n")).code == "store_busy"


def test_a_sub_agent_reads_the_projects_topics_and_writes_its_own(store: Store) -> None:
    store.save("Shared", LONG)
    mine = Store.open(store.path, agent="reviewer")
    mine.save("Mine", "only mine\n")
    assert [(topic.name, topic.agent) for topic in mine.topics()] == [("mine", "reviewer"), ("shared", "")]
    assert [topic.name for topic in store.topics()] == ["shared"]
    assert mine.path == store.path / "agents" / "reviewer"
    assert mine.folders == (mine.path, store.path)
    assert mine.save("Copy", LONG).duplicate_of == "shared"
    assert refused(lambda: mine.forget("shared")).code == "unknown_topic"
    assert ("shared.md" in mine.block(), "mine.md" in mine.block()) == (True, True)
    assert refused(lambda: Store.open(store.path, agent="../up")).code == "name_not_allowed"


def test_a_sub_agents_change_of_a_shared_topic_stands_beside_it(store: Store) -> None:
    store.save("Shared", "one\n", name="shared")
    mine = Store.open(store.path, agent="reviewer")
    mine.save("Shared", "two\n", name="shared")
    assert (mine.topic("shared").body, store.topic("shared").body) == ("two\n", "one\n")


def test_files_that_are_no_topics_are_left_alone(store: Store) -> None:
    store.prepare()
    for name in ("notes.txt", ".hidden.md", "MEMORY.md"):
        (store.path / name).write_text("mine")
    (store.path / "folder.md").mkdir()
    assert store.topics() == []
    store.save("A", "one\n")
    assert [(store.path / name).read_text() for name in ("notes.txt", ".hidden.md")] == ["mine", "mine"]
    assert store.index().startswith("mine\n")


def test_threads_of_one_process_lose_nothing(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    threads = [threading.Thread(target=store.save, args=(f"Topic {number}", f"text {number}")) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(store.topics()) == 8
    assert store.reindex() == []
