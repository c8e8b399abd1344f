from __future__ import annotations

import os
import subprocess
from datetime import date
from pathlib import Path

import pytest

from freehold.memory.checks.finding import Finding
from freehold.memory.doctor import examine
from freehold.memory.project import project_of
from freehold.memory.share.merge import Names, topic
from freehold.memory.store import Store

LONG = """\
The server reads its settings from the environment first and from the file afterwards.
A restart is needed after every change, because nothing watches the file while it runs.
Secrets come from the keyring of the user and never from the file that is in the repository.
"""


class Project:
    """A repository and its store."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.folder = base / "shop"
        (self.folder / "src").mkdir(parents=True)
        self.git("init", "--quiet")
        self.put("src/app.py")
        self.put("setup.cfg")
        self.commit()
        self.store = Store.open(project_of(self.folder), base=base / "agents", now=lambda: "2026-06-01T10:00:00Z")

    def put(self, path: str) -> None:
        (self.folder / path).write_text("x = 1\n")

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "change")

    def git(self, *words: str) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        subprocess.run(["git", *words], cwd=self.folder, env=environment, check=True, timeout=60, capture_output=True)

    def write(self, name: str, text: str) -> None:
        """Write a file as an agent or a person does, past the tools, with its line in the index."""
        self.store.prepare()
        (self.store.path / f"{name}.md").write_text(text)
        index = self.store.path / "MEMORY.md"
        before = index.read_text() if index.exists() else "# Memory\n\n"
        index.write_text(f"{before}- [{name}]({name}.md)\n")

    def findings(self, kind: str = "") -> list[Finding]:
        found = examine(self.store, today=date(2026, 7, 1), base=self.base / "agents")
        return [one for one in found if kind in {"", one.kind}]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("FREEHOLD_HOME", str(tmp_path / "home"))
    return Project(tmp_path)


def test_a_sound_memory_has_no_findings(project: Project) -> None:
    project.store.save("Entry", "The entry point is `src/app.py`, settings are in `setup.cfg`, see `origin/main`.")
    project.store.save("Ports", "8080 for the web; see [Entry](entry.md) and [the site](https://example.org/a.md).")
    assert project.findings() == []


def test_two_topics_that_say_nearly_the_same_are_told_with_percent_and_lines(project: Project) -> None:
    project.store.save("Settings", LONG)
    project.store.save(
        "Configuration", LONG.replace("A restart is needed", "A full restart is needed") + "One line more.\n"
    )
    project.store.save("Weather", "It rains a lot where the office is, so the umbrella stand is at the door.\n")
    found = project.findings("near_duplicate")
    assert [(one.where, one.mend) for one in found] == [("configuration", "freehold memory forget settings")]
    assert found[0].percent >= 90
    assert LONG.splitlines()[0] in found[0].shared


def test_near_duplicates_in_chinese_are_found(project: Project) -> None:
    body = "服务器先读取环境变量，然后读取配置文件。修改之后必须重新启动，因为运行时没有程序监视这个文件。\n"
    project.store.save("配置", body)
    project.store.save("设置", body.replace("必须", "需要"))
    assert [one.where for one in project.findings("near_duplicate")] == ["设置"]


def test_a_link_to_a_topic_that_is_gone_is_told_with_its_line(project: Project) -> None:
    project.write("notes", "---\ntitle: Notes\n---\n\nSee [the plan](plan.md).\n\n```\n[not a link](code.md)\n```\n")
    found = project.findings("dead_link")
    assert [(one.where, one.line, "plan.md" in one.detail) for one in found] == [("notes", 5, True)]


def test_an_index_that_drifted_is_mended_by_reindex(project: Project) -> None:
    project.store.save("Listed", "in the index")
    (project.store.path / "unlisted.md").write_text("---\ntitle: Unlisted\n---\n\nwritten by hand\n")
    (project.store.path / "listed.md").unlink()
    found = project.findings("index_drift")
    assert len(found) == 2
    assert {one.mend for one in found} == {"freehold memory reindex"}
    project.store.reindex()
    assert project.findings("index_drift") == []


def test_paths_that_the_repository_lost_are_told_and_other_words_are_not(project: Project) -> None:
    project.put("old.toml")
    project.commit()
    (project.folder / "old.toml").unlink()
    project.commit()
    body = (
        "`src/app.py:10`, `src/gone.py`, `old.toml`, `never.toml`, `origin/main`, `and/or.md`, `https://a.b/src/x.py`\n"
    )
    project.store.save("Paths", body)
    details = [one.detail for one in project.findings("missing_path")]
    assert details == ["src/gone.py is not in the repository.", "old.toml was deleted."]


def test_a_deadline_that_has_passed_is_wrong_and_age_is_a_note(project: Project) -> None:
    project.write(
        "freeze", "---\ntitle: Freeze\nupdated: 2026-06-30\n---\n\nNo merges until 2026-06-15.\n截止 2026年6月20日\n"
    )
    project.write("later", "---\ntitle: Later\nupdated: 2026-06-30\n---\n\nValid until 2027-01-01.\n")
    project.write("old", "---\ntitle: Old\nupdated: 2025-01-01\n---\n\nAs it was.\n")
    project.write("seen", "---\ntitle: Seen\nupdated: 2025-01-01\nverified: 2026-06-01\n---\n\nAs it is.\n")
    project.write("word", "---\ntitle: Word\nupdated: 2026-06-01\n---\n\nDeployed yesterday.\n")
    found = {(one.where, one.line, one.state) for one in project.findings("stale_date")}
    assert found == {("freeze", 6, "wrong"), ("freeze", 7, "wrong"), ("old", 0, "note"), ("word", 6, "note")}


def test_a_secret_is_told_by_its_line_and_never_repeated(project: Project) -> None:
    secret = "AKIA" + "ABCDEFGHIJKLMNOP"
    project.write("keys", f"---\ntitle: Keys\n---\n\nthe key\n{secret}\n")
    found = project.findings("secret")
    assert [(one.where, one.line) for one in found] == [("keys", 6)]
    assert not any(secret in str(one) for one in project.findings())


def test_broken_front_matter_is_told(project: Project) -> None:
    project.write("broken", "---\ntitle: [unclosed\n---\n\ntext\n")
    assert [one.where for one in project.findings("broken_front_matter")] == ["broken"]


def test_what_no_editor_opens_is_mended_by_taking_it_away(project: Project) -> None:
    project.write("plain", "# Plain\n")
    (project.store.path / "link.md").symlink_to("plain.md")
    assert [one.where for one in project.findings("broken_front_matter")] == []
    assert [(one.where, one.mend) for one in project.findings("unreadable")] == [
        ("link", "freehold memory forget link")
    ]


def test_a_mend_of_a_topic_that_is_named_like_an_option_takes_it_for_a_name(project: Project) -> None:
    project.write("-rf", "---\ntitle: [unclosed\n---\n\ntext\n")
    assert [one.mend for one in project.findings("broken_front_matter")] == ["freehold memory edit -- -rf"]


def test_two_versions_left_by_a_synchronisation_are_told(project: Project) -> None:
    joined = topic("a\n", "b\n", "c\n", Names("Ann", "Bob"))
    assert joined.conflict
    project.write("plan", f"---\ntitle: Plan\n---\n\n{joined.text}")
    assert [(one.where, one.line) for one in project.findings("unsettled_conflict")] == [("plan", 5)]


def test_a_store_whose_project_is_gone_is_a_note(project: Project) -> None:
    other = project.base / "other"
    other.mkdir()
    Store.open(project_of(other), base=project.base / "agents").save("Left", "behind")
    other.rmdir()
    found = project.findings("orphaned_store")
    assert [one.state for one in found] == ["note"]
    assert found[0].mend.startswith("freehold memory import store ")
