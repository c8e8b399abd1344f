from __future__ import annotations

import os
from pathlib import Path

from tests.unit.memory.share.team import Team, git


def test_what_is_not_taken_stays_in_the_remote_however_often_one_synchronises(tmp_path: Path) -> None:
    team = Team(tmp_path)
    team.ann.save("Fine", "to share")
    team.ann.init()
    folder = team.elsewhere()
    (folder / "sub").mkdir()
    (folder / "link.md").symlink_to("fine.md")
    for name in ("CON.md", "Fine.MD.txt", "sub/a.md", "FINE.md", *(f"-{number}.md" for number in range(8))):
        (folder / name).write_text("not for a store\n")
    (folder / "latin.md").write_bytes(b"caf\xe9\n")
    (folder / "huge.md").write_bytes(os.urandom(600_000).hex().encode())
    team.push_from_elsewhere()
    there = git(team.remote, "ls-tree", "-r", "main", "--", ".")
    refused = team.ann.sync().refused
    assert len(refused) == 15
    for word in ("one", "two"):
        team.ann.edit("fine", "share", f"share {word}")
        assert team.ann.sync().sent == ["fine.md"]
    now = git(team.remote, "ls-tree", "-r", "main", "--", ".")
    assert set(there.splitlines()) - set(now.splitlines()) == {
        line for line in there.splitlines() if line.endswith("\tfine.md")
    }
