from __future__ import annotations

from typing import Any

import pytest

from freehold.memory.store import Store
from tests.unit.memory.refusals import LONG, refused


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
