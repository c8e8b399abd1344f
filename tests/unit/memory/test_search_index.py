from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from freehold.errors import UnavailableError
from freehold.memory.recall import Recall, index_file, search
from freehold.memory.scan import Limits


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    for name in ("one", "two", "three"):
        (folder / f"{name}.md").write_text(f"The topic {name} speaks of zebras.\n")
    return folder


def _ask(store: Path, query: str = "zebras", limits: Limits | None = None) -> Recall:
    return search(store, query, cache=store.parent / "cache", limits=limits or Limits())


def _counts(recall: Recall) -> tuple[int, int, int]:
    return recall.added, recall.updated, recall.removed


def _index(store: Path) -> Path:
    return index_file(store, store.parent / "cache")


def test_each_search_counts_what_changed_before_it(store: Path) -> None:
    assert _counts(_ask(store)) == (3, 0, 0)
    assert _counts(_ask(store)) == (0, 0, 0)
    (store / "one.md").write_text("Now of giraffes and more.\n")
    (store / "two.md").unlink()
    (store / "four.md").write_text("Four.\n")
    assert _counts(_ask(store, "giraffes")) == (1, 1, 1)
    assert [hit.name for hit in _ask(store, "giraffes").hits] == ["one"]
    assert [hit.name for hit in _ask(store).hits] == ["three"]


def test_a_file_that_was_only_touched_is_not_an_update(store: Path) -> None:
    _ask(store)
    os.utime(store / "one.md", ns=(1, 1))
    assert _counts(_ask(store)) == (0, 0, 0)


def test_a_change_that_keeps_size_and_time_is_seen(store: Path) -> None:
    file = store / "one.md"
    _ask(store)
    stamp = file.stat().st_mtime_ns
    file.write_text(file.read_text().replace("zebras", "otters"))
    os.utime(file, ns=(stamp, stamp))
    assert [hit.name for hit in _ask(store, "otters").hits] == ["one"]


def test_the_newest_are_searched_and_the_rest_is_named(store: Path) -> None:
    for age, name in enumerate(("one", "two", "three")):
        os.utime(store / f"{name}.md", ns=(0, 10**18 - age * 10**9))
    recall = _ask(store, limits=Limits(files=2))
    assert {hit.name for hit in recall.hits} == {"one", "two"}
    assert [left.name for left in recall.left_out] == ["three"]
    assert [left.name for left in _ask(store, limits=Limits(bytes=80)).left_out] == ["three"]


def test_of_a_large_file_the_first_part_is_searched(store: Path) -> None:
    (store / "large.md").write_text("hippos " + "filler " * 100 + "rhinos")
    limits = Limits(file_bytes=100)
    assert [hit.name for hit in _ask(store, "hippos", limits).hits] == ["large"]
    assert _ask(store, "rhinos", limits).hits == ()
    assert [left.name for left in _ask(store, limits=limits).left_out] == ["large"]


def test_links_are_left_out(store: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("zebras elsewhere")
    (store / "link.md").symlink_to(tmp_path / "outside.md")
    recall = _ask(store)
    assert "link" not in {hit.name for hit in recall.hits}
    assert [left.name for left in recall.left_out] == ["link"]


def test_bytes_that_are_no_text_break_nothing(store: Path) -> None:
    (store / "bytes.md").write_bytes(b"\xff\xfe\x00zebras\x00\xed\xa0\x80 ---\n")
    assert "bytes" in {hit.name for hit in _ask(store).hits}


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 100, None])
def test_a_corrupt_index_is_made_anew(store: Path, damage: bytes | None) -> None:
    _ask(store)
    file = _index(store)
    if damage is None:
        data = bytearray(file.read_bytes())
        data[4096:] = b"\x5a" * (len(data) - 4096)
        file.write_bytes(data)
    else:
        file.write_bytes(damage)
    recall = _ask(store)
    assert len(recall.hits) == 3
    assert recall.added == 3
    assert _counts(_ask(store)) == (0, 0, 0)


def test_an_index_without_its_tables_is_made_anew(store: Path) -> None:
    _ask(store)
    db = sqlite3.connect(_index(store))
    db.execute("DROP TABLE file")
    db.close()
    assert len(_ask(store).hits) == 3


def test_an_index_of_another_version_is_deleted(store: Path) -> None:
    _ask(store)
    file = _index(store)
    other = file.with_name(f"{file.name.split('.')[0]}.00000000.sqlite")
    file.replace(other)
    assert _counts(_ask(store)) == (3, 0, 0)
    assert not other.exists()


def test_where_no_index_can_be_written_it_is_kept_in_memory(store: Path) -> None:
    (store.parent / "cache").write_text("a file where the folder should be")
    assert len(_ask(store).hits) == 3


def test_nobody_else_can_read_the_index_folder(store: Path) -> None:
    _ask(store)
    assert _index(store).parent.stat().st_mode & 0o077 == 0


def test_an_index_that_stays_locked_is_reported(store: Path) -> None:
    _ask(store)
    (store / "new.md").write_text("more zebras")
    db = sqlite3.connect(_index(store), isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(UnavailableError) as busy:
            search(store, "zebras", cache=store.parent / "cache", wait=0.05)
    finally:
        db.close()
    assert busy.value.code == "timeout"


_CHILD = """
import sys
from pathlib import Path
from freehold.memory.recall import search
search(Path(sys.argv[1]), 'zebras', cache=Path(sys.argv[2]))
"""


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else -1


@pytest.mark.parametrize("grown", [0, 1, 100_000, 500_000])
def test_an_indexing_that_was_killed_is_completed_by_the_next_search(store: Path, grown: int) -> None:
    for number in range(600):
        (store / f"n{number}.md").write_text(f"Number {number} of the zebras. " * 40)
    command = [sys.executable, "-c", _CHILD, store, store.parent / "cache"]
    with subprocess.Popen(command) as child:
        while child.poll() is None and _size(_index(store)) < grown:
            time.sleep(0.001)
        child.kill()
    recall = search(store, "zebras", limit=1_000, cache=store.parent / "cache")
    assert len(recall.hits) == 603
    assert _counts(_ask(store)) == (0, 0, 0)


def test_two_searches_at_once_index_a_store_once(store: Path) -> None:
    for number in range(300):
        (store / f"n{number}.md").write_text(f"Number {number} of the zebras.")
    command = [sys.executable, "-c", _CHILD, store, store.parent / "cache"]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    for child in children:
        child.communicate(timeout=60)
    assert [child.returncode for child in children] == [0, 0]
    recall = search(store, "zebras", limit=1_000, cache=store.parent / "cache")
    assert len(recall.hits) == 303
    assert _counts(recall) == (0, 0, 0)
