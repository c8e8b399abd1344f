"""`freehold memory` as a person or a script meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.contract.memory.shell import Shell

COMMANDS = (
    *("path", "list", "show", "search", "save", "edit", "forget", "restore", "projects", "adopt", "reindex", "doctor"),
    *("export", "import", "prompt", "config", "share"),
)


@pytest.fixture
def ann(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path / "ann", "Ann")
    shell.repository("shop")
    return shell


def test_help_lists_every_command_without_colours_in_a_pipe(ann: Shell) -> None:
    ann.environment |= {"FORCE_COLOR": "1", "TERM": "xterm-256color", "GITHUB_ACTIONS": "true"}
    said = ann.memory("--help")
    assert "\x1b" not in said
    assert [name for name in COMMANDS if f" {name} " not in said] == []


@pytest.mark.parametrize(
    "words", [("list",), ("projects",), ("config",), ("show",), ("restore",), ("reindex",), ("doctor",)]
)
def test_an_empty_memory_is_no_error(ann: Shell, words: tuple[str, ...]) -> None:
    assert "\x1b" not in ann.memory(*words)
    ann.data(*words)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "nope"), "unknown_topic"),
        (("forget", "nope"), "unknown_topic"),
        (("restore", "nope"), "unknown_topic"),
        (("edit", "nope"), "unknown_topic"),
        (("path", "../x"), "name_not_allowed"),
        (("save", "A title", "text", "--name", "../x"), "name_not_allowed"),
        (("adopt", "nope"), "file_not_found"),
        (("import", "store", "nope"), "file_not_found"),
        (("share", "sync"), "not_shared"),
        (("share", "init", "ext::sh -c true"), "invalid_argument"),
        (("share", "init", "--", "--upload-pack=true"), "invalid_argument"),
        (("list", "--project", "nope"), "file_not_found"),
        (("export",), "invalid_argument"),
    ],
)
def test_a_wrong_call_is_one_line_with_a_code_and_no_traceback(ann: Shell, words: tuple[str, ...], code: str) -> None:
    done = ann("memory", *words)
    assert done.returncode in {1, 2}
    assert f"[{code}]" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("group", ["import", "share"])
def test_a_group_without_its_subcommand_shows_its_help_and_nothing_else(ann: Shell, group: str) -> None:
    done = ann("memory", group)
    assert (done.returncode, done.stderr) == (2, "")
    assert "Usage:" in done.stdout


def test_a_word_with_one_dash_is_left_out_and_a_mistyped_option_is_no_word(ann: Shell) -> None:
    ann.memory("save", "Login", "The new login page.")
    ann.memory("save", "Old login", "The legacy login page of 2019.")
    assert [hit["name"] for hit in ann.data("search", "login", "-legacy")["hits"]] == ["login"]
    assert [hit["name"] for hit in ann.data("search", "-2019", "login")["hits"]] == ["login"]
    assert [hit["name"] for hit in ann.data("search", "--limit", "1", "login")["hits"]] == ["login"]
    assert ann.data("search", "login", "--limt", "1", code=2)["error"]["code"] == "invalid_argument"
    assert "login" in ann.memory("search", "--", "--login")


def test_a_search_without_hits_ends_with_one(ann: Shell) -> None:
    ann.memory("save", "Ports", "8080")
    ann.memory("search", "giraffe", code=1)
    assert ann.data("search", "giraffe", code=1)["hits"] == []


def test_what_was_forgotten_can_be_restored(ann: Shell) -> None:
    ann.memory("save", "Ports", "8080")
    ann.memory("forget", "ports")
    assert ann.data("list")["topics"] == []
    assert [one["name"] for one in ann.data("restore")["trash"]] == ["ports"]
    ann.memory("restore", "ports")
    assert "8080" in ann.memory("show", "ports")


def test_a_second_name_that_is_mistyped_leaves_the_first_where_it_is(ann: Shell) -> None:
    ann.memory("save", "Ports", "8080")
    ann.memory("forget", "ports", "prots", code=1)
    assert [one["name"] for one in ann.data("list")["topics"]] == ["ports"]


def test_claude_codes_memory_of_this_folder_is_found_and_others_are_only_shown(ann: Shell) -> None:
    slug = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in str(ann.folder))
    folder = ann.home / ".claude" / "projects" / slug / "memory"
    folder.mkdir(parents=True)
    (folder / "testing.md").write_text("Use a real database.\n")
    other = ann.home / ".claude" / "projects" / "-elsewhere-shop" / "memory"
    other.mkdir(parents=True)
    (other / "else.md").write_text("not ours\n")
    assert [one["topic"] for one in ann.data("import", "claude")["notes"]] == ["testing"]
    (folder.parent / "s.jsonl").write_text(json.dumps({"cwd": "/somewhere/else"}) + "\n")
    listed = ann.data("import", "claude", code=1)["candidates"]
    assert {one["fit"] for one in listed} == {"another project"}
    ann.memory("import", "claude", str(folder), "--apply")
    assert "real database" in ann.memory("show", "testing")


def test_a_memory_that_may_be_this_projects_is_shown_and_adopted_only_by_hand(ann: Shell) -> None:
    ann.memory("save", "Ports", "8080")
    first = ann.folder
    ann.folder = ann.home
    ann.git("clone", "--quiet", str(first), "again")
    ann.folder = ann.home / "again"
    assert ann.data("list")["topics"] == []
    stores = ann.data("projects")["stores"]
    assert [bool(one["candidate"]) for one in stores] == [True]
    ann.memory("adopt", stores[0]["store"])
    assert [one["name"] for one in ann.data("list")["topics"]] == ["ports"]


def test_the_prompt_names_the_folder_and_is_the_same_while_nothing_changes(ann: Shell) -> None:
    ann.memory("save", "Ports", "8080", "--description", "who listens where")
    first, second = ann.memory("prompt"), ann.memory("prompt")
    assert first == second
    assert ann.memory("path").strip() in first
    assert "who listens where" in first


def test_the_settings_bound_what_enters_a_session(ann: Shell) -> None:
    for number in range(15):
        ann.memory("save", f"Topic {number}", f"fact {number}")
    home = Path(ann.environment["FREEHOLD_HOME"])
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text("[memory]\nlines = 10\n")
    assert ann.data("config")["memory"]["lines"] == 10
    assert len(ann.memory("show").splitlines()) == 10


def test_escape_sequences_of_a_topic_do_not_reach_a_table(ann: Shell) -> None:
    file = Path(ann.memory("path").strip()) / "evil.md"
    file.write_text('---\ntitle: x\ndescription: "\\e[31mred"\n---\n\ntext\n')
    assert "\x1b" not in ann.memory("list")


def test_tools_are_called_from_the_shell_without_a_browser(ann: Shell) -> None:
    saved = ann("tool", "pmem_save", "--title", "Ports", "--body", "The server listens on 8080.")
    assert saved.returncode == 0, saved.stderr
    elsewhere, ann.folder = ann.folder, ann.home
    found = ann("tool", "pmem_search", "--query", "server", "--project", str(elsewhere), "--json")
    assert [hit["name"] for hit in json.loads(found.stdout)["data"]["hits"]] == ["ports"]
    assert "--browser" not in ann("tool", "pmem_search", "--help").stdout
