from __future__ import annotations

import os

import msgspec
import pytest

from freehold.memory import state
from freehold.memory.files import digest
from freehold.memory.store import Store
from tests.unit.memory.refusals import LONG, refused


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


def test_a_file_written_within_the_clocks_tick_of_the_look_is_read_again() -> None:
    stamp = (10, 1_000_000_000, 1_000_000_000, 7)
    assert not state.fresh(state.Entry(stamp, seen=1_000_000_001, revision="r"), stamp)
    assert state.fresh(state.Entry(stamp, seen=9_000_000_000, revision="r"), stamp)
    assert not state.fresh(state.Entry(stamp, seen=9_000_000_000, revision="r"), (11, *stamp[1:]))
    assert not state.fresh(None, stamp)
