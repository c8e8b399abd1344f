"""Whose memory it is: the table of identities."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from freehold.errors import UnavailableError, UsageError
from freehold.memory.project import canonical, project_of, store_folder
from tests.unit.memory.repositories import git, program, repository


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")


def key(folder: Path) -> str:
    return project_of(folder).key


def test_a_sub_folder_shares_the_store_of_its_repository(repo: Path) -> None:
    (repo / "src" / "deep").mkdir(parents=True)
    assert key(repo / "src" / "deep") == key(repo)


def test_a_worktree_shares_the_store_of_its_repository_wherever_it_stands(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    assert key(tmp_path / "elsewhere") == key(repo)
    assert project_of(tmp_path / "elsewhere").name == "repo"


def test_a_submodule_has_a_store_of_its_own(repo: Path, tmp_path: Path) -> None:
    library = repository(tmp_path / "library", content="y")
    git(repo, "submodule", "add", "-q", str(library), "vendor/library")
    found = project_of(repo / "vendor" / "library")
    assert found.key not in {key(repo), key(library)}
    assert (found.name, found.git) == ("library", True)


def test_a_repository_inside_another_has_a_store_of_its_own(repo: Path) -> None:
    repository(repo / "inner")
    assert key(repo / "inner") != key(repo)


def test_a_bare_repository_works_and_shares_with_its_worktrees(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repo), "copy.git")
    git(tmp_path / "copy.git", "worktree", "add", "-q", str(tmp_path / "tree"))
    found = project_of(tmp_path / "copy.git")
    assert (found.name, found.git, found.path) == ("copy", True, tmp_path / "copy.git")
    assert key(tmp_path / "tree") == found.key


def test_a_git_folder_kept_apart_is_what_counts(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    git(tmp_path / "work", "init", "-q", "--separate-git-dir", str(tmp_path / "kept.git"))
    assert project_of(tmp_path / "work").path == tmp_path / "kept.git"


def test_a_symlinked_path_leads_to_the_same_store(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo)
    assert key(tmp_path / "link") == key(repo)


def test_two_clones_of_one_project_have_two_stores(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(repo), "clone")
    assert key(tmp_path / "clone") != key(repo)


def test_paths_that_differ_only_in_their_separator_have_two_stores(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a-b").mkdir()
    one, other = project_of(tmp_path / "a" / "b"), project_of(tmp_path / "a-b")
    assert store_folder(one, tmp_path) != store_folder(other, tmp_path)


def test_paths_that_differ_only_in_case_have_stores_that_no_file_system_confuses(tmp_path: Path) -> None:
    (tmp_path / "Repo").mkdir()
    (tmp_path / "repo").mkdir(exist_ok=True)
    if len(list(tmp_path.iterdir())) == 1:
        assert key(tmp_path / "Repo") == key(tmp_path / "repo")
    else:
        stores = [store_folder(project_of(tmp_path / name), tmp_path).name for name in ("Repo", "repo")]
        assert stores[0].casefold() != stores[1].casefold()


def test_on_a_system_that_ignores_case_every_spelling_is_one_path(tmp_path: Path) -> None:
    (tmp_path / "Work" / "Café").mkdir(parents=True)

    def same(one: Path, other: Path) -> bool:
        return str(one).casefold() == str(other).casefold()

    def names(folder: Path) -> list[str]:
        at = Path(str(folder).replace("/work", "/Work"))
        return [file.name for file in at.iterdir()]

    assert canonical(tmp_path / "work" / "CAFÉ", same=same, names=names) == tmp_path / "Work" / "Café"
    assert canonical(tmp_path / "Work" / "Café") == tmp_path / "Work" / "Café"


def test_a_folder_without_git_is_keyed_by_its_path(tmp_path: Path) -> None:
    found = project_of(tmp_path)
    assert (found.path, found.git, found.note) == (tmp_path.resolve(), False, "")


def test_a_folder_that_is_gone_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        project_of(tmp_path / "gone")
    assert caught.value.code == "file_not_found"


def test_a_deleted_folder_and_a_new_one_in_its_place_have_one_store(repo: Path) -> None:
    before = key(repo)
    shutil.rmtree(repo)
    repository(repo)
    assert key(repo) == before


def test_variables_of_an_outer_git_do_not_name_the_project(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = repository(tmp_path / "other")
    wanted = key(repo)
    for name in ("GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repo))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.worktree")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(other))
    (repo / "sub").mkdir()
    assert key(repo / "sub") == wanted


@pytest.mark.parametrize(
    "name", ["项目", "проект", "prøjekt", "with space", "new\nline", "-dash", "a'b\"c", "emoji 🎉", "x" * 250]
)
def test_a_name_of_any_script_or_length_works(tmp_path: Path, name: str) -> None:
    repo = repository(tmp_path / name)
    found = project_of(repo)
    assert (found.path, found.git) == (repo / ".git", True)
    folder = store_folder(found, tmp_path / "agent")
    folder.mkdir(parents=True)
    assert folder.name.endswith(f"__{found.key[:12]}")
    assert folder.name.isprintable()


def test_a_name_that_is_no_unicode_works(tmp_path: Path) -> None:
    repo = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        repository(repo)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    folder = store_folder(project_of(repo), tmp_path)
    folder.name.encode()


def test_a_path_of_250_characters_works(tmp_path: Path) -> None:
    deep = tmp_path
    while len(str(deep)) < 250:
        deep /= "folder-of-twenty-abc"
    repo = repository(deep)
    assert project_of(repo).git


def test_what_git_calls_dubious_ownership_is_keyed_by_its_folder_and_said(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f"fatal: detected dubious ownership in repository at '{repo}'"
    monkeypatch.setenv("PATH", str(program(tmp_path / "bin", f'echo "{said}" >&2; exit 128')))
    (repo / "sub").mkdir()
    found = project_of(repo / "sub")
    assert (found.path, found.git, found.name) == (repo, False, "repo")
    assert "safe.directory" in found.note


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_user_is_dubious_to_the_real_git(repo: Path) -> None:
    for file in (repo, *repo.rglob("*")):
        os.chown(file, 12_345, 12_345)
    assert "safe.directory" in project_of(repo).note


def test_a_damaged_repository_is_keyed_by_its_folder_and_said(repo: Path) -> None:
    (repo / ".git" / "config").write_text("[broken")
    found = project_of(repo)
    assert (found.path, found.git) == (repo, False)
    assert found.note


def test_a_git_that_cannot_run_is_an_error_rather_than_another_store(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnavailableError) as caught:
        project_of(repo)
    assert caught.value.code == "git_failed"


def test_no_git_of_the_repository_itself_is_run(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(repo, f"touch {repo}/ran; echo .git")
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    assert project_of(repo).git
    assert not (repo / "ran").exists()


def test_git_is_told_to_run_nothing_that_the_repository_names(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    script = f'/usr/bin/env > {tmp_path}/env; echo "$@" > {tmp_path}/args; echo .git'
    monkeypatch.setenv("PATH", str(program(tmp_path / "bin", script)))
    project_of(repo)
    arguments = (tmp_path / "args").read_text()
    assert "core.fsmonitor=false" in arguments
    assert "core.hooksPath=/dev/null" in arguments
    assert "protocol.allow=never" in arguments
    assert "GIT_DIR" not in (tmp_path / "env").read_text()
