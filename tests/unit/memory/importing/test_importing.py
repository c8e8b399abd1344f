from __future__ import annotations

import json
from pathlib import Path

import pytest

from freehold.memory.importing import claude_code, codex, plan
from freehold.memory.importing import store as other_store
from freehold.memory.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store")


def claude_memory(base: Path, slug: str, cwd: str = "", **files: str) -> Path:
    """Make a memory as Claude Code keeps it, with a session that names its working folder."""
    folder = base / "projects" / slug / "memory"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)
    if cwd:
        lines = [{"type": "summary"}, {"type": "user", "cwd": cwd}]
        session = folder.parent / "5f0c.jsonl"
        session.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_of_two_projects_with_one_slug_the_sessions_tell_which_it_is(tmp_path: Path) -> None:
    claude_memory(tmp_path, "-code-a-b", cwd="/code/a/b", MEMORY="- a fact\n")
    ours = claude_code.candidates([Path("/code/a/b")], tmp_path)
    others = claude_code.candidates([Path("/code/a-b")], tmp_path)
    assert [one.fit for one in ours] == ["this project"]
    assert [(one.fit, one.project) for one in others] == [("another project", "/code/a/b")]


def test_a_slug_alone_is_only_perhaps_the_project(tmp_path: Path) -> None:
    claude_memory(tmp_path, "-code-shop", MEMORY="- a fact\n")
    claude_memory(tmp_path, "-elsewhere-shop", MEMORY="- a fact\n")
    claude_memory(tmp_path, "-code-bank", MEMORY="- a fact\n")
    found = claude_code.candidates([Path("/code/shop")], tmp_path)
    assert [(one.folder.parent.name, one.fit) for one in found] == [
        ("-code-shop", "perhaps"),
        ("-elsewhere-shop", "another project"),
    ]


def test_claude_codes_topics_keep_title_description_and_type(tmp_path: Path, store: Store) -> None:
    folder = claude_memory(
        tmp_path,
        "-code-shop",
        MEMORY="# Memory\n- [Testing](feedback_testing.md) — hook\n\nThe office is in Bonn.\n",
        feedback_testing="---\nname: Testing rules\ndescription: never mock\nmetadata:\n  type: feedback\n---\n\n"
        "Use a real database.\n",
        plain="# Plain\n\nno front matter\n",
    )
    outcomes = plan.carry_out(store, plan.plan(store, claude_code.notes(folder)))
    assert [one.skipped for one in outcomes] == ["", "", ""]
    topic = store.topic("feedback-testing")
    assert (topic.title, topic.description, topic.type) == ("Testing rules", "never mock", "feedback")
    assert topic.body == "Use a real database.\n"
    assert "Bonn" in store.topic("notes-from-claude-code").body


def test_a_dry_run_writes_nothing_and_neither_touches_the_source(tmp_path: Path, store: Store) -> None:
    folder = claude_memory(tmp_path, "-code-shop", one="a fact\n")
    before = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.iterdir()}
    steps = plan.plan(store, claude_code.notes(folder))
    assert [step.action for step in steps] == ["new"]
    assert store.topics() == []
    plan.carry_out(store, steps)
    assert {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.iterdir()} == before


def test_importing_twice_adds_nothing(tmp_path: Path, store: Store) -> None:
    folder = claude_memory(tmp_path, "-code-shop", one="a fact\n", two="another fact\n")
    plan.carry_out(store, plan.plan(store, claude_code.notes(folder)))
    steps = plan.plan(store, claude_code.notes(folder))
    assert [step.action for step in steps] == ["same", "same"]


def test_a_name_that_is_taken_gets_a_number_and_a_secret_stays_out(tmp_path: Path, store: Store) -> None:
    store.save("Build", "what stands here", name="build")
    folder = claude_memory(tmp_path, "-c", build="other words\n", keys="AKIA" + "ABCDEFGHIJKLMNOP\n", empty="\n")
    steps = plan.plan(store, claude_code.notes(folder))
    assert [(step.action, step.name) for step in steps] == [
        ("renamed", "build-2"),
        ("empty", "empty"),
        ("secret", "keys"),
    ]
    plan.carry_out(store, steps)
    assert [topic.name for topic in store.topics()] == ["build", "build-2"]
    assert store.topic("build").body == "what stands here\n"


def test_of_codexs_handbook_only_this_projects_blocks_are_taken(tmp_path: Path, store: Store) -> None:
    (tmp_path / "MEMORY.md").write_text(
        "# Task Group: Shop, checkout\n\nscope: the checkout\napplies_to: cwd=/code/shop; reuse_rule=always\n\n"
        "## Task 1\n\n- Run the migration first.\n\n"
        "# Task Group: Bank\n\nscope: else\napplies_to: cwd=/code/bank\n\n- Other things.\n"
    )
    notes = list(codex.notes(tmp_path, [Path("/code/shop")]))
    assert [(note.title, note.description) for note in notes] == [("Shop, checkout", "the checkout")]
    plan.carry_out(store, plan.plan(store, notes))
    assert "migration" in store.topics()[0].body
    assert codex.others(tmp_path, [Path("/code/shop")]) == ["/code/bank"]


def test_another_stores_topics_come_with_all_they_have(tmp_path: Path, store: Store) -> None:
    other = Store.open(tmp_path / "other")
    other.save("构建步骤", "先 make。", description="怎么构建", type="howto")
    plan.carry_out(store, plan.plan(store, other_store.notes(other.path)))
    topic = store.topics()[0]
    assert (topic.name, topic.title, topic.description, topic.type) == ("构建步骤", "构建步骤", "怎么构建", "howto")
