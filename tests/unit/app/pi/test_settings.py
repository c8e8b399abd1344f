"""Settings for Pi: the user's, and what a project may tighten."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from freehold.app.pi import settings
from freehold.app.pi.settings import Groups, PiSettings
from freehold.errors import UsageError


def project(folder: Path, content: Any) -> Path:
    (folder / ".pi").mkdir(exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / ".pi" / "freehold.json").write_text(text)
    return folder


def test_the_defaults_are_written_once_for_the_user_to_change(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    assert settings.make(agent) == PiSettings()
    file = settings.file(agent)
    file.write_text('{"autoExtract": true}')
    assert settings.make(agent).auto_extract
    assert file.read_text() == '{"autoExtract": true}'


@pytest.mark.parametrize("words", ['{"injectContextBundle": true}', '{"injectContextBundle": true, "other": 1}'])
def test_the_first_settings_take_over_what_an_earlier_package_was_told(tmp_path: Path, words: str) -> None:
    (tmp_path / "cnife-nmem.json").write_text(words)
    assert settings.make(tmp_path).inject_context_bundle
    (tmp_path / "cnife-nmem.json").write_text('{"injectContextBundle": false}')
    assert settings.make(tmp_path).inject_context_bundle


def test_settings_that_are_there_do_not_listen_to_an_earlier_package(tmp_path: Path) -> None:
    settings.save(PiSettings(), tmp_path)
    (tmp_path / "cnife-nmem.json").write_text('{"injectContextBundle": true}')
    assert not settings.make(tmp_path).inject_context_bundle


def test_what_is_saved_is_what_is_loaded(tmp_path: Path) -> None:
    chosen = PiSettings(command=("/a/python", "-I"), recall=True, tools=Groups(memory="on"))
    settings.save(chosen, tmp_path)
    assert settings.load(tmp_path) == chosen


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    settings.file(tmp_path).symlink_to(kept)
    settings.save(PiSettings(recall=True), tmp_path)
    assert settings.file(tmp_path).is_symlink()
    assert json.loads(kept.read_text())["recall"] is True


def test_a_folder_that_cannot_be_written_to_still_has_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "agent").write_text("a file where the folder should be")
    with pytest.raises(UsageError):
        settings.make(tmp_path / "agent")
    assert settings.make(Path(os.devnull).parent / "no" / "such") == PiSettings()


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"colour": 1}',
        '{"tools": {"browser": "maybe"}}',
        '{"browserPrefix": "A B"}',
        '{"recallSeconds": 60}',
    ],
)
def test_what_is_wrong_is_named_with_its_file(tmp_path: Path, content: str) -> None:
    settings.file(tmp_path).write_text(content)
    with pytest.raises(UsageError) as caught:
        settings.load(tmp_path)
    assert caught.value.code == "invalid_argument"
    assert str(settings.file(tmp_path)) in caught.value.message


TIGHTER: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"tools": {"browser": "off"}}, {"tools": Groups(browser="off")}),
    ({"tools": {"browser": "deferred", "archive": "off"}}, {"tools": Groups(browser="deferred", archive="off")}),
    ({"memoryBlock": False}, {"memory_block": False}),
    ({"recall": False, "autoExtract": False}, {"recall": False, "auto_extract": False}),
    ({"dailyPasses": 3, "dailyTokens": 0}, {"daily_passes": 3, "daily_tokens": 0}),
]


@pytest.mark.parametrize(("asked", "changed"), TIGHTER)
def test_a_project_may_tighten(tmp_path: Path, asked: dict[str, Any], changed: dict[str, Any]) -> None:
    loose = PiSettings(recall=True, auto_extract=True)
    tightened, notices = settings.tightened(loose, project(tmp_path, asked))
    assert tightened == msgspec.structs.replace(loose, **changed)
    assert notices == []


@pytest.mark.parametrize(
    "asked",
    [
        {"command": ["/bin/sh"]},
        {"tools": {"memory": "on"}},
        {"tools": {"memory": "deferred"}},
        {"tools": {"browser": "loud"}},
        {"tools": {"shell": "on"}},
        {"tools": {"__annotations__": "off"}},
        {"tools": ["browser"]},
        {"memoryBlock": True},
        {"recall": True},
        {"recall": 0},
        {"autoExtract": True},
        {"extractModel": "stranger/model"},
        {"findModel": "stranger/model"},
        {"dailyTokens": 10_000_000},
        {"dailyPasses": -1},
        {"dailyPasses": True},
        {"browserPrefix": ""},
        {"deferred": []},
        {"unheard": 1},
    ],
)
def test_a_project_may_loosen_nothing(tmp_path: Path, asked: dict[str, Any]) -> None:
    tightened, (notice,) = settings.tightened(PiSettings(), project(tmp_path, asked))
    assert tightened == PiSettings()
    assert next(iter(asked)) in notice


def test_what_tightens_holds_beside_what_is_left_out(tmp_path: Path) -> None:
    asked = {"memoryBlock": False, "autoExtract": True}
    tightened, notices = settings.tightened(PiSettings(), project(tmp_path, asked))
    assert (tightened.memory_block, tightened.auto_extract, len(notices)) == (False, False, 1)


@pytest.mark.parametrize("content", ["{", "[1]", "\udcff", '{"a":' * 10_000])
def test_a_projects_file_that_cannot_be_read_changes_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / ".pi").mkdir()
    (tmp_path / ".pi" / "freehold.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    tightened, (notice,) = settings.tightened(PiSettings(), tmp_path)
    assert tightened == PiSettings()
    assert "not read" in notice


def test_a_projects_link_to_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / ".pi").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / ".pi" / "freehold.json").symlink_to(tmp_path / "pipe")
    tightened, (notice,) = settings.tightened(PiSettings(), tmp_path)
    assert tightened == PiSettings()
    assert "not read" in notice


def test_what_a_project_names_cannot_drive_the_terminal_or_fill_it(tmp_path: Path) -> None:
    names = ["\x1b]0;title\x07", "x" * 10_000, *(f"unheard{number}" for number in range(50))]
    _, (notice,) = settings.tightened(PiSettings(), project(tmp_path, dict.fromkeys(names, 1)))
    assert notice.isprintable()
    assert len(notice) < 1_000
