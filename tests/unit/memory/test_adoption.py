"""A renamed or moved project keeps its memory; what merely looks like it takes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from freehold.errors import DeniedError, UsageError
from freehold.memory import adoption, record
from freehold.memory.project import Project, project_of, store_folder
from freehold.memory.store import Store
from tests.unit.memory.repositories import git, repository


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "agent"


def remember(folder: Path, base: Path) -> Path:
    store = Store.open(project_of(folder), base=base)
    store.save("How we deploy", "On Fridays, never.\n")
    return store.path


def titles(folder: Path, base: Path) -> list[str]:
    return [topic.title for topic in Store.open(project_of(folder), base=base).topics()]


def same_inode(one: Path, other: Path, base: Path) -> None:
    """Make the store of the project in `one` say that it has the inode of `other`, as a file system may give out."""
    store = store_folder(project_of(one), base)
    known, taken = record.load(store), project_of(other)
    assert known is not None
    record.save(store, msgspec.structs.replace(known, device=taken.device, inode=taken.inode))


def test_a_renamed_repository_keeps_its_memory_and_says_so_once(tmp_path: Path, base: Path) -> None:
    old = repository(tmp_path / "old")
    before = remember(old, base)
    old.rename(tmp_path / "new")
    store = Store.open(project_of(tmp_path / "new"), base=base)
    assert [topic.title for topic in store.topics()] == ["How we deploy"]
    assert store.path.name.startswith("new__")
    assert not before.exists()
    assert [str(old / ".git") in notice for notice in store.notices()] == [True]
    assert Store.open(project_of(tmp_path / "new"), base=base).notices() == []
    known = record.load(store.path)
    assert known is not None
    assert (known.path, known.adopted[0].path) == (str(tmp_path / "new" / ".git"), str(old / ".git"))


def test_a_moved_parent_folder_takes_every_memory_along(tmp_path: Path, base: Path) -> None:
    repo = repository(tmp_path / "a" / "repo")
    library = repository(tmp_path / "library", content="y")
    git(repo, "submodule", "add", "-q", str(library), "sub")
    plain = tmp_path / "a" / "plain"
    plain.mkdir()
    for folder in (repo, plain, repo / "sub"):
        remember(folder, base)
    (tmp_path / "a").rename(tmp_path / "b")
    for name in ("repo", "plain", "repo/sub"):
        assert titles(tmp_path / "b" / name, base) == ["How we deploy"]


def test_a_repository_renamed_twice_keeps_the_record_of_both(tmp_path: Path, base: Path) -> None:
    repo = repository(tmp_path / "one")
    remember(repo, base)
    for name in ("two", "three"):
        repo = repo.rename(tmp_path / name)
        store = Store.open(project_of(repo), base=base)
    known = record.load(store.path)
    assert known is not None
    assert [Path(move.path).parent.name for move in known.adopted] == ["one", "two"]


def test_a_new_repository_takes_nothing_from_a_deleted_one_though_it_got_its_inode(tmp_path: Path, base: Path) -> None:
    old = repository(tmp_path / "old")
    other = repository(tmp_path / "other", content="y")
    if not project_of(other).birth:
        pytest.skip("this file system does not say when a folder was made")
    remember(old, base)
    same_inode(old, other, base)
    shutil.rmtree(old)
    assert titles(other, base) == []


def test_a_clone_of_a_deleted_repository_takes_nothing_by_itself(tmp_path: Path, base: Path) -> None:
    old = repository(tmp_path / "old")
    remember(old, base)
    git(tmp_path, "clone", "-q", str(old), "clone")
    shutil.rmtree(old)
    clone = project_of(tmp_path / "clone")
    assert titles(clone.folder, base) == []
    offered = adoption.candidates(clone, base)
    assert [("first commit" in found.why) for found in offered] == [True]
    adoption.adopt(clone, offered[0].folder, base)
    assert titles(clone.folder, base) == ["How we deploy"]


def test_nothing_is_taken_while_the_old_path_is_there(tmp_path: Path, base: Path) -> None:
    old = repository(tmp_path / "old")
    remember(old, base)
    old.rename(tmp_path / "new")
    old.mkdir()
    (old / ".git").mkdir()
    assert titles(tmp_path / "new", base) == []
    assert len(adoption.candidates(project_of(tmp_path / "new"), base)) == 1


def test_of_two_stores_that_both_claim_the_folder_none_is_taken(tmp_path: Path, base: Path) -> None:
    old = repository(tmp_path / "old")
    store = remember(old, base)
    shutil.copytree(store, store.with_name("copy__000000000000"))
    old.rename(tmp_path / "new")
    assert titles(tmp_path / "new", base) == []
    assert len(adoption.candidates(project_of(tmp_path / "new"), base)) == 2


def test_a_project_with_a_memory_of_its_own_is_given_no_other(tmp_path: Path, base: Path) -> None:
    one, other = repository(tmp_path / "one"), repository(tmp_path / "other")
    store = remember(one, base)
    remember(other, base)
    with pytest.raises(UsageError) as caught:
        adoption.adopt(project_of(other), store, base)
    assert caught.value.code == "conflict"
    assert titles(one, base) == ["How we deploy"]


def test_a_kill_between_record_and_rename_does_not_lose_the_store(tmp_path: Path, base: Path) -> None:
    old = repository(tmp_path / "old")
    store = remember(old, base)
    old.rename(tmp_path / "new")
    record.save(store, record.of(project_of(tmp_path / "new")))
    assert titles(tmp_path / "new", base) == ["How we deploy"]


def test_a_folder_that_becomes_a_repository_is_offered_its_memory(tmp_path: Path, base: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    remember(folder, base)
    git(folder, "init", "-q")
    assert len(adoption.candidates(project_of(folder), base)) == 1


def test_an_unrelated_project_is_offered_nothing(tmp_path: Path, base: Path) -> None:
    remember(repository(tmp_path / "one", content="1"), base)
    assert adoption.candidates(project_of(repository(tmp_path / "two", content="2")), base) == []


def test_markdown_that_an_agent_wrote_before_there_was_a_record_survives_a_rename(tmp_path: Path, base: Path) -> None:
    old = repository(tmp_path / "old")
    folder = store_folder(project_of(old), base)
    folder.mkdir(parents=True)
    (folder / "note.md").write_text("# By hand\n")
    assert titles(old, base) == ["By hand"]
    old.rename(tmp_path / "new")
    assert titles(tmp_path / "new", base) == ["By hand"]


def test_a_store_with_the_record_of_another_project_is_refused(tmp_path: Path, base: Path) -> None:
    one, other = repository(tmp_path / "one"), repository(tmp_path / "other")
    shutil.copytree(remember(one, base), store_folder(project_of(other), base))
    with pytest.raises(DeniedError) as caught:
        Store.open(project_of(other), base=base)
    assert caught.value.code == "store_mismatch"
    adoption.adopt(project_of(other), store_folder(project_of(other), base), base)
    assert titles(other, base) == ["How we deploy"]


def test_an_adoption_that_cannot_be_takes_nothing_away(tmp_path: Path, base: Path) -> None:
    one, other = repository(tmp_path / "one"), repository(tmp_path / "other")
    store, own = remember(one, base), remember(other, base)
    Store.open(project_of(other), base=base).forget("how-we-deploy")
    before = {file.name for file in own.iterdir()}
    with pytest.raises(UsageError) as caught:
        adoption.adopt(project_of(other), store, base)
    assert caught.value.code == "conflict"
    assert {file.name for file in own.iterdir()} == before
    assert Store.open(project_of(other), base=base).restore("how-we-deploy").title == "How we deploy"
    assert titles(one, base) == ["How we deploy"]


def test_a_store_in_which_nothing_was_kept_yet_gives_way(tmp_path: Path, base: Path) -> None:
    one, other = repository(tmp_path / "one"), repository(tmp_path / "other")
    store = remember(one, base)
    Store.open(project_of(other), base=base).reindex()
    adoption.adopt(project_of(other), store, base)
    assert titles(other, base) == ["How we deploy"]


def test_a_repository_cloned_anew_in_the_same_place_keeps_its_memory_and_can_move_then(
    tmp_path: Path, base: Path
) -> None:
    upstream, repo = repository(tmp_path / "upstream"), tmp_path / "repo"
    git(tmp_path, "clone", "-q", str(upstream), str(repo))
    remember(repo, base)
    shutil.rmtree(repo)
    git(tmp_path, "clone", "-q", str(upstream), str(repo))
    assert titles(repo, base) == ["How we deploy"]
    repo.rename(tmp_path / "moved")
    assert titles(tmp_path / "moved", base) == ["How we deploy"]


def test_a_repository_that_takes_anothers_place_is_told_whose_memory_it_is_and_that_one_can_take_it(
    tmp_path: Path, base: Path
) -> None:
    place, elsewhere = tmp_path / "place", tmp_path / "elsewhere"
    store = remember(repository(place, content="first"), base)
    place.rename(elsewhere)
    repository(place, content="other")
    for _ in range(2):
        assert [store.name in said for said in Store.open(project_of(place), base=base).notices()] == [True]
    assert [one.folder for one in adoption.candidates(project_of(elsewhere), base)] == [store]
    adoption.adopt(project_of(elsewhere), store, base)
    assert titles(elsewhere, base) == ["How we deploy"]
    assert (titles(place, base), Store.open(project_of(place), base=base).notices()) == ([], [])


def test_a_memory_that_a_new_repository_adopts_in_its_place_is_its_own(tmp_path: Path, base: Path) -> None:
    place = tmp_path / "place"
    store = remember(repository(place, content="first"), base)
    shutil.rmtree(place)
    repository(place, content="written anew")
    adoption.adopt(project_of(place), store, base)
    assert Store.open(project_of(place), base=base).notices() == []
    place.rename(tmp_path / "moved")
    assert titles(tmp_path / "moved", base) == ["How we deploy"]


def test_a_damaged_record_is_written_anew(tmp_path: Path, base: Path) -> None:
    repo = repository(tmp_path / "repo")
    store = remember(repo, base)
    (store / record.FILE).write_text("{")
    assert titles(repo, base) == ["How we deploy"]
    known = record.load(store)
    assert known is not None
    assert known.key == project_of(repo).key


def test_no_password_of_a_remote_is_recorded(tmp_path: Path, base: Path) -> None:
    repo = repository(tmp_path / "repo")
    git(repo, "remote", "add", "origin", "https://me:hunter2@example.com/x.git")
    known = record.load(remember(repo, base))
    assert known is not None
    assert known.remotes == ("https://example.com/x.git",)


def test_the_stores_of_the_machine_are_listed_with_what_is_gone(tmp_path: Path, base: Path) -> None:
    remember(repository(tmp_path / "here"), base)
    gone = repository(tmp_path / "gone")
    remember(gone, base)
    shutil.rmtree(gone)
    listed = adoption.known_stores(base)
    assert {(known.record.name, known.topics, known.here) for known in listed if known.record} == {
        ("here", 1, True),
        ("gone", 1, False),
    }


def test_opening_a_store_makes_nothing(tmp_path: Path, base: Path) -> None:
    project: Project = project_of(tmp_path)
    store = Store.open(project, base=base)
    assert (store.topics(), store.block(), store.notices(), store.trash()) == ([], "", [], [])
    assert not base.exists()
