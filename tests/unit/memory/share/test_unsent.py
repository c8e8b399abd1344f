from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.memory.share.team import Team, git


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


@pytest.mark.parametrize("first", [True, False], ids=["before the first push", "since the last one"])
@pytest.mark.parametrize("taken_out", [True, False], ids=["taken out again", "still there"])
def test_what_a_person_committed_by_hand_in_the_store_leaves_only_as_it_may(
    team: Team, *, first: bool, taken_out: bool
) -> None:
    secret = "AKIA" + "ABCDEFGHIJKLMNOP"
    name = team.ann.save("Fine", "to share")
    team.ann.init()
    if first:
        git(team.remote, "update-ref", "-d", "refs/heads/main")
        git(team.ann.store.path, "update-ref", "-d", "refs/remotes/origin/main")
    team.ann.edit(name, "share", f"share {secret}")
    (team.ann.store.path / "list.txt").write_text("no topic\n")
    git(team.ann.store.path, "add", "--force", ".state.json", "list.txt", f"{name}.md")
    git(team.ann.store.path, "commit", "--quiet", "-m", "by hand")
    by_hand = git(team.ann.store.path, "rev-parse", "main")
    if taken_out:
        team.ann.edit(name, f"share {secret}", "share more")
        git(team.ann.store.path, "rm", "--quiet", "--cached", ".state.json", "list.txt")
        git(team.ann.store.path, "commit", "--quiet", "-a", "-m", "take it out")
    report = team.ann.sync()
    assert secret not in team.content()
    assert team.pushed() == (["MEMORY.md"] if first and not taken_out else ["MEMORY.md", "fine.md"])
    assert "fine.md" in (report.sent if taken_out else [one.name for one in report.held_back])
    assert git(team.ann.store.path, "cat-file", "-t", by_hand) == "commit"
    assert team.ann.sync().sent == []
