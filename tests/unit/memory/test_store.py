from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import filelock
import msgspec
import pytest

from freehold.errors import FAMILIES, FreeholdError
from freehold.memory import state
from freehold.memory.files import digest
from freehold.memory.folder import LOCK
from freehold.memory.index import Change
from freehold.memory.store import Budget, Store

LONG = "The nightly build needs PostgreSQL 16 and the variable CI_REGION.\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    moments = iter(f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z" for number in range(1_000))
    return Store.open(tmp_path / "store", now=lambda: next(moments))


def refused(call: Callable[[], object]) -> FreeholdError:
    with pytest.raises(FreeholdError) as caught:
        call()
    assert isinstance(caught.value, FAMILIES[caught.value.code])
    return caught.value


def test_a_saved_topic_is_a_markdown_file_and_a_line_of_the_index(store: Store) -> None:
    saved = store.save("How we deploy", "On Mondays.", description="who, when, how", type="process", source="Ana")
    assert (saved.name, saved.created, saved.duplicate_of, saved.warnings) == ("how-we-deploy", True, "", ())
    assert saved.path.read_text() == (
        "---\ntitle: How we deploy\ndescription: who, when, how\ntype: process\ncreated: 2026-01-01T00:00:00Z\n"
        "updated: 2026-01-01T00:00:00Z\nsource: Ana\n---\n\nOn Mondays.\n"
    )
    assert store.index() == "# Memory\n\n- [How we deploy](how-we-deploy.md) \u2014 who, when, how\n"
    assert saved.revision == store.revision("how-we-deploy") == store.topic("how-we-deploy").revision


def test_a_change_needs_the_revision_that_was_read_and_names_both_versions(store: Store) -> None:
    first = store.save("A", "one\n")
    second = store.save("A", "two\n", name="a", expected_revision=first.revision)
    assert (second.created, store.topic("a").body) == (False, "two\n")
    for stale in (first.revision, None):
        error = refused(lambda: store.save("A", "three\n", name="a", expected_revision=stale))  # noqa: B023
        assert error.code == "conflict"
        assert error.data["current"] == second.revision
        assert error.data["yours"]
    assert store.topic("a").body == "two\n"


def test_the_revision_of_the_whole_store_is_accepted_until_anything_changes(store: Store) -> None:
    store.save("A", "one\n")
    before = store.revision()
    store.save("A", "two\n", name="a", expected_revision=before)
    assert store.revision() != before
    assert refused(lambda: store.save("A", "three\n", name="a", expected_revision=before)).code == "conflict"


def test_a_change_by_hand_since_it_was_read_is_not_overwritten(store: Store) -> None:
    saved = store.save("A", "one\n")
    saved.path.write_text(saved.path.read_text() + "by hand\n")
    assert refused(lambda: store.save("A", "two\n", name="a", expected_revision=saved.revision)).code == "conflict"
    assert store.topic("a").body == "one\nby hand\n"


def test_a_change_keeps_what_is_not_given(store: Store) -> None:
    saved = store.save("A", "one\n", description="d", type="t", source="s", verified="2026-01-01")
    store.save("B", "two\n", name="a", expected_revision=saved.revision)
    topic = store.topic("a")
    assert (topic.title, topic.description, topic.type, topic.source, topic.verified) == (
        "B",
        "d",
        "t",
        "s",
        "2026-01-01",
    )
    assert topic.created < topic.updated
    assert store.index().count("(a.md)") == 1
    assert "[B](a.md)" in store.index()


def test_a_second_topic_of_the_same_title_is_kept_beside_the_first(store: Store) -> None:
    store.save("Ports", "8080 is the API.\n")
    saved = store.save("Ports", "5432 is the database.\n")
    assert (saved.name, saved.created, len(saved.warnings)) == ("ports-2", True, 1)
    assert [topic.body for topic in store.topics()] == ["8080 is the API.\n", "5432 is the database.\n"]


@pytest.mark.parametrize(
    "again",
    [
        ("Build", LONG),
        ("Another title", LONG),
        ("Build", "- the NIGHTLY build  needs\nPostgreSQL 16 and the variable CI_REGION"),
    ],
)
def test_the_same_fact_saved_twice_is_answered_with_the_topic_that_has_it(store: Store, again: tuple[str, str]) -> None:
    store.save("Build", LONG)
    saved = store.save(*again)
    assert (saved.name, saved.created, saved.duplicate_of) == ("build", False, "build")
    assert len(store.topics()) == 1


def test_a_fact_that_is_one_of_the_points_of_a_topic_is_recognised(store: Store) -> None:
    store.save("Build", f"# Build\n\n- {LONG}- Something else entirely, which is long too.\n")
    assert store.save("PostgreSQL", LONG).duplicate_of == "build"


def test_a_fact_that_a_person_wrote_by_hand_is_recognised(store: Store) -> None:
    store.save("A", "one\n")
    (store.path / "by hand.md").write_text(f"# Notes\n\n{LONG}")
    assert store.save("Build", LONG).duplicate_of == "by hand"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Port of the API", "8080"), ("Port of the page", "8080")),
        (("Limit", "x < 3"), ("Limit", "x > 3")),
        (("Unit", "m\u00b2"), ("Unit", "m2")),
        (("Language", "C"), ("Language", "C++")),
    ],
)
def test_facts_that_only_look_alike_are_both_kept(store: Store, one: tuple[str, str], other: tuple[str, str]) -> None:
    store.save(*one)
    assert store.save(*other).created


def test_saving_what_stands_there_changes_no_byte(store: Store) -> None:
    saved = store.save("A", "one\n")
    before = saved.path.read_bytes()
    again = store.save("A", "one\n", name="a", expected_revision=saved.revision)
    assert (again.created, again.duplicate_of, saved.path.read_bytes()) == (False, "a", before)


@pytest.mark.parametrize(
    "text", ["no front matter\n", "---\ntitle: [\n---\nbroken\n", "---\nnever closed\n", "\u00ff\ufffd"]
)
def test_a_file_without_sound_front_matter_is_read_and_never_overwritten(store: Store, text: str) -> None:
    store.prepare()
    file = store.path / "mine.md"
    file.write_bytes(text.encode("latin-1", "replace"))
    topic = store.topic("mine")
    assert topic.body
    error = refused(lambda: store.save("Mine", "new\n", name="mine", expected_revision=topic.revision))
    assert error.code == "topic_protected"
    assert file.read_bytes() == text.encode("latin-1", "replace")


@pytest.mark.parametrize("name", ["../x", "a/b", "CON", "a\0b", ".hidden", "MEMORY", ""])
def test_a_name_that_leads_elsewhere_is_refused_and_nothing_is_made(store: Store, name: str) -> None:
    assert refused(lambda: store.save("A", "one\n", name=name)).code == "name_not_allowed"
    assert not store.path.exists()
    assert refused(lambda: store.topic(name)).code == "name_not_allowed"
    assert refused(lambda: store.forget(name)).code == "name_not_allowed"


@pytest.mark.parametrize("name", ["Build", "BUILD", "cafe\u0301"])
def test_a_name_that_differs_only_in_case_or_form_is_refused(store: Store, name: str) -> None:
    store.save("A", "one\n", name="build")
    store.path.joinpath("CAF\u00c9.md").write_text("---\ntitle: x\n---\n")
    assert refused(lambda: store.save("B", "two\n", name=name)).code == "name_not_allowed"


@pytest.mark.parametrize(
    ("title", "body"), [("", "x"), ("x", " \n"), ("x\0", "x"), ("x", "a\x07b"), ("x" * 201, "x"), ("x", "\ud800")]
)
def test_what_no_file_should_hold_is_refused_before_anything_is_made(store: Store, title: str, body: str) -> None:
    assert refused(lambda: store.save(title, body)).code == "invalid_argument"
    assert not store.path.exists()


@pytest.mark.parametrize("field", ["title", "name", "description", "type", "source", "body"])
def test_a_secret_anywhere_is_refused_with_its_line_and_not_repeated(store: Store, field: str) -> None:
    secret = "hf_" + "a1B2" * 8
    given: dict[str, Any] = {"title": "t", "body": "first\n"} | {field: secret}
    if field == "body":
        given["body"] = f"first\nsecond {secret}\n"
    error = refused(lambda: store.save(**given))
    assert error.code == "secret_found"
    assert error.data["secrets"][0]["where"] == field
    assert error.data["secrets"][0]["line"] == (2 if field == "body" else 1)
    assert secret not in str(error.to_wire())
    assert not store.path.exists()
    assert store.save(**given, allow_secrets=True).created


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


def test_a_trash_that_links_elsewhere_is_refused(store: Store, tmp_path: Path) -> None:
    store.save("A", "one\n")
    (store.path / ".trash").symlink_to(tmp_path)
    assert refused(lambda: store.forget("a")).code == "path_outside_store"
    assert store.topic("a").body == "one\n"


def test_a_pipe_in_a_topics_place_does_not_make_anyone_wait(store: Store) -> None:
    store.prepare()
    os.mkfifo(store.path / "pipe.md")
    assert store.topic("pipe").broken


def test_a_forgotten_topic_can_be_restored_with_the_line_a_person_wrote(store: Store) -> None:
    store.save("A", "one\n")
    mine = store.index().replace("- [A](a.md)", "* [Mine](a.md), the best")
    (store.path / "MEMORY.md").write_text(mine)
    assert store.forget("a").read_text().endswith("one\n")
    assert (store.topics(), "a.md" in store.index()) == ([], False)
    assert [(trashed.name, trashed.title) for trashed in store.trash()] == [("a", "A")]
    assert store.restore("a").body == "one\n"
    assert store.index() == mine
    assert store.trash() == []


def test_a_name_forgotten_twice_comes_back_as_it_was_last(store: Store) -> None:
    for body in ("one\n", "two\n"):
        store.save("A", body)
        store.forget("a")
    assert store.restore("a").body == "two\n"
    assert refused(lambda: store.restore("a")).code == "conflict"
    store.forget("a")
    assert len(store.trash()) == 2


def test_what_is_not_there_is_named(store: Store) -> None:
    for call in (store.topic, store.forget, store.restore, store.revision):
        assert refused(lambda: call("nothing")).code == "unknown_topic"  # noqa: B023


def test_forgetting_what_has_changed_since_it_was_read_is_refused(store: Store) -> None:
    saved = store.save("A", "one\n")
    store.save("A", "two\n", name="a", expected_revision=saved.revision)
    assert refused(lambda: store.forget("a", expected_revision=saved.revision)).code == "conflict"


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


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"topics": 3}', b"\xff"])
def test_the_state_can_be_lost_or_damaged(store: Store, content: bytes | None) -> None:
    store.save("Build", LONG)
    file = store.path / ".state.json"
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    assert store.save("Again", LONG).duplicate_of == "build"


def test_a_stale_state_is_not_believed(store: Store) -> None:
    saved = store.save("Build", LONG)
    old = (store.path / ".state.json").read_bytes()
    store.save("Build", "Something else.\n", name="build", expected_revision=saved.revision)
    (store.path / ".state.json").write_bytes(old)
    assert store.save("Again", LONG).created


def test_a_store_of_a_newer_freehold_is_read_and_not_written(store: Store) -> None:
    store.save("A", "one\n")
    (store.path / ".state.json").write_bytes(msgspec.json.encode({"format": state.FORMAT + 1, "topics": 3}))
    assert store.topic("a").body == "one\n"
    assert refused(lambda: store.save("B", "two\n")).code == "store_too_new"


def test_the_cursor_of_others_survives_a_save(store: Store) -> None:
    store.save("A", "one\n")
    kept = state.load(store.path)
    kept.cursor = "turn 12"
    state.save(store.path, kept)
    store.save("B", "two\n")
    assert (state.load(store.path).cursor, state.load(store.path).revision) == ("turn 12", 2)


def test_a_lock_that_is_not_given_back_is_an_error_at_the_deadline(store: Store) -> None:
    store.save("A", "one\n")
    hasty = Store.open(store.path, deadline=0.05)
    with filelock.FileLock(store.path / LOCK):
        assert refused(lambda: hasty.save("B", "two\n")).code == "store_busy"


def test_drafts_that_a_killed_writer_left_are_cleared(store: Store) -> None:
    store.save("A", "one\n")
    (store.path / ".tmp-1-abc").write_text("a draft, cut o")
    os.link(store.path / "a.md", store.path / ".tmp-1-linked")
    store.save("B", "two\n")
    assert [file.name for file in store.path.iterdir() if file.name.startswith(".tmp-")] == []
    assert store.topic("a").body == "one\n"


@pytest.mark.parametrize("changed_since", [False, True])
def test_an_editors_version_that_a_kill_left_swapped_out_is_kept(store: Store, *, changed_since: bool) -> None:
    file = store.save("A", "one\n").path
    before, ours, theirs = b"before", file.read_bytes(), file.read_bytes() + b"an editor's line\n"
    parts = (digest(b"a.md"), digest(ours), digest(before))
    swap = store.path / f".swap-{'-'.join(parts)}-abc"
    swap.write_bytes(theirs)
    if changed_since:
        file.write_bytes(ours + b"more\n")
    store.save("B", "two\n")
    assert not swap.exists()
    kept = [left.read_bytes() for left in (store.path / ".trash").glob("*")]
    assert (file.read_bytes(), kept) == ((ours + b"more\n", [theirs]) if changed_since else (theirs, []))
    assert store.trash() == []


@pytest.mark.parametrize("content", ["ours", "before"])
def test_a_swap_that_a_kill_left_before_or_after_it_happened_is_cleared(store: Store, content: str) -> None:
    file = store.save("A", "one\n").path
    parts = (digest(b"a.md"), digest(b"ours"), digest(b"before"))
    (store.path / f".swap-{'-'.join(parts)}-abc").write_text(content)
    store.save("B", "two\n")
    assert not (store.path / ".trash").exists()
    assert store.topic("a").body == "one\n"
    assert file.exists()


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
