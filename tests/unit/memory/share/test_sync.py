from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from freehold.errors import DeniedError, UnavailableError, UsageError
from freehold.memory.share import sync as sharing
from tests.unit.memory.share.team import Member, Team, git


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


def test_what_one_saves_the_other_gets(team: Team) -> None:
    name = team.ann.save("Ports", "The server listens on 8080.")
    assert team.ann.init().clean
    report = team.bob.init()
    assert [(one.name, one.state) for one in report.received] == [("MEMORY.md", "new"), (f"{name}.md", "new")]
    assert team.bob.text(name) == team.ann.text(name)
    assert team.bob.sync().sent == []


def test_two_who_edit_different_lines_at_once_both_keep_theirs(team: Team) -> None:
    name = team.ann.save("Build", "first\n\nsecond\n\nthird\n\nfourth\n")
    team.ann.init()
    team.bob.init()
    team.ann.edit(name, "first", "first by Ann")
    team.bob.edit(name, "fourth", "fourth by Bob")
    team.ann.sync()
    report = team.bob.sync()
    assert report.clean
    team.ann.sync()
    assert team.ann.text(name) == team.bob.text(name)
    assert "first by Ann" in team.ann.text(name)
    assert "fourth by Bob" in team.ann.text(name)


def test_two_who_edit_the_same_line_at_once_find_both_marked(team: Team) -> None:
    name = team.ann.save("Build", "Use make.\n")
    team.ann.init()
    team.bob.init()
    team.ann.edit(name, "make", "ninja")
    team.bob.edit(name, "make", "meson")
    team.ann.sync()
    report = team.bob.sync()
    assert [one.state for one in report.received if one.name == f"{name}.md"] == ["conflict"]
    assert not report.clean
    team.ann.sync()
    for text in (team.ann.text(name), team.bob.text(name)):
        assert "Use ninja.\n" in text
        assert "Use meson.\n" in text
        assert text.count("<!-- conflict: ") == 3


def test_new_topics_of_both_stand_in_the_index_of_both(team: Team) -> None:
    team.ann.init()
    team.bob.init()
    team.ann.save("From Ann", "one")
    team.bob.save("From Bob", "two")
    team.ann.sync()
    team.bob.sync()
    team.ann.sync()
    assert team.ann.names() == team.bob.names() == ["from-ann", "from-bob"]
    assert team.ann.text("MEMORY") == team.bob.text("MEMORY")
    assert team.ann.store.reindex(dry_run=True) == []


def test_a_forgotten_topic_goes_to_the_others_trash(team: Team) -> None:
    name = team.ann.save("Old", "gone soon")
    team.ann.init()
    team.bob.init()
    team.ann.store.forget(name)
    team.ann.sync()
    report = team.bob.sync()
    assert (f"{name}.md", "removed") in [(one.name, one.state) for one in report.received]
    assert team.bob.names() == []
    assert team.bob.store.restore(name).body == "gone soon\n"


def test_an_emptied_store_deletes_nothing_for_the_others_unless_that_is_meant(team: Team) -> None:
    names = [team.ann.save(f"Note {number}", f"text {number}") for number in range(8)]
    team.ann.init()
    team.bob.init()
    for file in team.ann.store.path.glob("*.md"):
        file.unlink()
    with pytest.raises(UsageError) as refused:
        team.ann.sync()
    assert refused.value.code == "conflict"
    assert team.bob.sync().received == []
    git(team.ann.store.path, "checkout", "HEAD", "--", "*.md")
    assert team.ann.sync().sent == []
    assert team.ann.names() == sorted(names)
    for name in names:
        team.ann.store.forget(name)
    sharing.sync(team.ann.files, allow_deletions=True)
    team.bob.sync()
    assert team.bob.names() == []


def test_a_topic_that_one_forgets_and_the_other_edits_stays(team: Team) -> None:
    name = team.ann.save("Kept", "old text")
    team.ann.init()
    team.bob.init()
    team.ann.store.forget(name)
    team.bob.edit(name, "old", "new")
    team.ann.sync()
    team.bob.sync()
    team.ann.sync()
    assert team.ann.names() == team.bob.names() == [name]


def test_neither_a_secret_nor_the_state_nor_the_trash_is_ever_pushed(team: Team) -> None:
    secret = "AKIA" + "ABCDEFGHIJKLMNOP"
    team.ann.save("Fine", "to share")
    gone = team.ann.save("Gone", "forgotten before")
    team.ann.store.forget(gone)
    team.ann.store.save("Keys", f"the key is {secret}", allow_secrets=True)
    report = team.ann.init()
    team.ann.edit("fine", "share", f"share {secret}")
    second = team.ann.sync()
    assert [one.name for one in report.held_back] == ["keys.md"]
    assert [one.name for one in second.held_back] == ["fine.md", "keys.md"]
    assert team.pushed() == ["MEMORY.md", "fine.md"]
    assert secret not in team.content()
    assert "keys.md" not in team.content()
    assert "to share" in git(team.remote, "show", "main:fine.md")


def test_an_edit_that_comes_in_is_joined_with_a_topic_that_is_held_back(team: Team) -> None:
    secret = "AKIA" + "ABCDEFGHIJKLMNOP"
    name = team.ann.save("Access", "first\n\nsecond\n\nthird\n")
    team.ann.init()
    team.bob.init()
    team.ann.edit(name, "first", f"first {secret}")
    team.bob.edit(name, "third", "third by Bob")
    team.bob.sync()
    team.ann.sync()
    team.ann.sync()
    assert secret in team.ann.text(name)
    assert "third by Bob" in team.ann.text(name)
    assert "third by Bob" in git(team.remote, "show", f"main:{name}.md")
    assert secret not in team.content()


def test_a_symbolic_link_and_what_is_no_markdown_stay_outside(team: Team) -> None:
    team.ann.save("Fine", "to share")
    team.ann.init()
    team.bob.init()
    folder = team.elsewhere()
    (folder / "link.md").symlink_to("/etc/passwd")
    (folder / "run.sh").write_text("echo")
    (folder / ".state.json").write_text("{}")
    (folder / "sub").mkdir()
    (folder / "sub" / "deep.md").write_text("deep")
    (folder / "binary.md").write_bytes(b"a\0b")
    (folder / "latin.md").write_bytes(b"\xe9")
    (folder / "FINE.md").write_text("other case")
    (folder / "nul.md").write_text("a device")
    (folder / "good.md").write_text("# Good\n")
    team.push_from_elsewhere()
    report = team.ann.sync()
    assert {one.path for one in report.refused} == {
        "link.md",
        "run.sh",
        ".state.json",
        "sub/deep.md",
        "binary.md",
        "latin.md",
        "FINE.md",
        "nul.md",
    }
    assert team.ann.names() == ["fine", "good"]
    assert not report.clean
    # They are the other side's to delete: still there, and unchanged by what we push.
    team.ann.save("More", "more")
    team.ann.sync()
    assert "run.sh" in git(team.remote, "ls-tree", "--name-only", "main")


def test_a_topic_that_the_other_side_made_a_link_keeps_its_text_here(team: Team) -> None:
    name = team.ann.save("Fine", "to share")
    team.ann.init()
    folder = team.elsewhere()
    (folder / f"{name}.md").unlink()
    (folder / f"{name}.md").symlink_to("/etc/passwd")
    team.push_from_elsewhere()
    report = team.ann.sync()
    assert [one.path for one in report.refused] == [f"{name}.md"]
    assert "to share" in team.ann.text(name)
    assert not (team.ann.store.path / f"{name}.md").is_symlink()


def test_a_link_in_the_store_is_not_followed_to_the_remote(team: Team, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("private")
    (team.ann.store.path / "leak.md").symlink_to(outside)
    report = team.ann.init()
    assert [one.name for one in report.held_back] == ["leak.md"]
    assert "private" not in team.content()


def test_a_remote_that_was_rewound_loses_nothing(team: Team) -> None:
    team.ann.save("One", "first")
    team.ann.init()
    team.bob.init()
    before = git(team.remote, "rev-parse", "main")
    team.bob.save("Two", "second")
    team.bob.sync()
    team.ann.sync()
    git(team.remote, "update-ref", "refs/heads/main", before)
    team.ann.save("Three", "third")
    team.ann.sync()
    assert git(team.remote, "ls-tree", "--name-only", "main").split() == ["MEMORY.md", "one.md", "three.md", "two.md"]
    assert "refs/freehold/rescue/" in git(team.ann.store.path, "for-each-ref")


def test_stores_that_both_had_topics_before_are_joined(team: Team) -> None:
    team.ann.save("Ports", "Ann says 8080.")
    team.bob.save("Ports", "Bob says 9090.")
    team.bob.save("Only Bob", "more")
    team.ann.init()
    team.bob.init()
    team.ann.sync()
    assert "Ann says 8080." in team.ann.text("ports")
    assert "Bob says 9090." in team.ann.text("ports")
    assert team.ann.names() == team.bob.names() == ["only-bob", "ports"]


def test_two_who_synchronise_in_the_same_moment_both_arrive(team: Team) -> None:
    team.ann.init()
    team.bob.init()
    for number in range(4):
        team.ann.save(f"Ann {number}", f"fact {number} of Ann")
        team.bob.save(f"Bob {number}", f"fact {number} of Bob")
        start = Barrier(2)

        def sync(member: Member, start: Barrier = start) -> None:
            start.wait(60)
            member.sync()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(sync, (team.ann, team.bob)))
    team.ann.sync()
    team.bob.sync()
    assert team.ann.names() == team.bob.names() == [f"{who}-{n}" for who in ("ann", "bob") for n in range(4)]
    assert team.ann.text("MEMORY") == team.bob.text("MEMORY")


def test_a_sync_that_was_killed_after_writing_and_before_its_commit_is_finished_by_the_next(team: Team) -> None:
    name = team.ann.save("Build", "Use make.\n")
    team.ann.init()
    team.bob.init()
    team.ann.edit(name, "make", "ninja")
    team.bob.edit(name, "make", "meson")
    team.ann.sync()
    before = git(team.bob.store.path, "rev-parse", "main")
    team.bob.sync()
    # As if its commit had never been made: the joined file is on the disk, the branch where it was.
    git(team.bob.store.path, "update-ref", "refs/heads/main", before)
    git(team.remote, "update-ref", "refs/heads/main", git(team.ann.store.path, "rev-parse", "main"))
    team.bob.sync()
    assert team.bob.text(name).count("Use meson.") == 1
    assert team.bob.text(name).count("Use ninja.") == 1


def test_a_remote_that_is_not_there_is_an_error_and_changes_nothing(team: Team) -> None:
    team.ann.save("Fine", "to share")
    team.ann.init()
    team.remote.rename(team.base / "away.git")
    team.ann.save("More", "text")
    with pytest.raises(UnavailableError) as caught:
        team.ann.sync()
    assert caught.value.code == "remote_failed"
    assert team.ann.names() == ["fine", "more"]
    (team.base / "away.git").rename(team.remote)
    assert team.ann.sync().sent == ["MEMORY.md", "more.md"]


def test_an_address_with_a_password_is_refused(team: Team) -> None:
    team.ann.remote = "https://ann:" + "hunter2secret@example.org/team.git"
    with pytest.raises(DeniedError) as caught:
        team.ann.init()
    assert caught.value.code == "secret_found"
    assert not (team.ann.store.path / ".git").exists()
