from __future__ import annotations

from pathlib import Path

from freehold.memory.store import Store
from tests.unit.memory.refusals import refused


def test_a_trash_that_links_elsewhere_is_refused(store: Store, tmp_path: Path) -> None:
    store.save("A", "one\n")
    (store.path / ".trash").symlink_to(tmp_path)
    assert refused(lambda: store.forget("a")).code == "path_outside_store"
    assert store.topic("a").body == "one\n"


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
