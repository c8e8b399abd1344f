"""The run that docs/memory.md walks a newcomer through."""

from __future__ import annotations

from pathlib import Path

from tests.contract.memory.shell import Shell


def hits(shell: Shell, *words: str) -> list[str]:
    return [hit["name"] for hit in shell.data("search", *words)["hits"]]


def test_a_newcomer_saves_searches_edits_renames_checks_and_shares(tmp_path: Path) -> None:
    ann = Shell(tmp_path / "ann", "Ann")
    ann.repository("shop")

    # Three notes, in English and Chinese.
    ann.memory("save", "Ports", "The web server listens on 8080, the admin page on 9090.")
    ann.memory("save", "构建步骤", "先运行 make deps，再运行 ninja 构建整个项目。")
    ann.memory(
        "save", "Releases", "--description", "when and how", text="Releases are cut on Tuesdays with `app.py`.\n"
    )
    assert sorted(topic["name"] for topic in ann.data("list")["topics"]) == ["ports", "releases", "构建步骤"]
    assert hits(ann, "which port does the admin page have")[0] == "ports"
    assert hits(ann, "怎么构建项目")[0] == "构建步骤"

    # One edited by hand, with nothing but a text editor.
    file = Path(ann.memory("path", "ports").strip())
    file.write_text(file.read_text().replace("9090", "9191 (moved in May)"))
    assert hits(ann, "9191") == ["ports"]

    # The repository renamed: its memory comes along, and that is said once.
    before = ann.folder
    ann.folder = before.rename(before.with_name("market"))
    first, second = ann("memory", "search", "9191"), ann("memory", "search", "9191")
    assert "ports" in first.stdout
    assert str(before) in first.stderr
    assert second.stderr == ""

    # The doctor finds nothing, and then what is wrong.
    assert ann.data("doctor")["findings"] == []
    ann.memory("save", "Layout", "The entry point is `app.py`.")
    ann.git("rm", "--quiet", "app.py")
    found = ann.data("doctor", code=1)["findings"]
    assert {(one["kind"], one["where"]) for one in found} == {("missing_path", "layout"), ("missing_path", "releases")}
    assert all(one["mend"].startswith("freehold memory ") for one in found)

    # Shared with a second clone, on another machine.
    team = tmp_path / "team.git"
    ann.git("init", "--quiet", "--bare", str(team))
    ann.memory("share", "init", str(team))
    bob = Shell(tmp_path / "bob", "Bob")
    bob.git("clone", "--quiet", str(ann.folder), "shop")
    bob.folder = bob.home / "shop"
    assert "+ ports.md" in bob.memory("share", "init", str(team))
    assert hits(bob, "怎么构建项目")[0] == "构建步骤"
    bob.memory("save", "Tests", "Run the tests with make check.")
    assert bob.data("share", "sync")["sent"] == ["MEMORY.md", "tests.md"]
    assert [one["name"] for one in ann.data("share", "sync")["received"]] == ["MEMORY.md", "tests.md"]
    assert hits(ann, "how do I run the tests")[0] == "tests"
