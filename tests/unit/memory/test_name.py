from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freehold.errors import UsageError
from freehold.memory.name import checked, folded, proposed

HOSTILE = st.lists(
    st.sampled_from(["..", ".", "/", "\\", "a", "CON", "nul", ".md", "\0", "\n", " ", ":", "\u202e", "é", "中"])
)
ANY = st.one_of(st.text(), HOSTILE.map("".join))


def refused(name: str) -> bool:
    try:
        checked(name)
    except UsageError as error:
        return error.code == "name_not_allowed"
    return False


@given(ANY)
def test_a_name_that_passes_stays_in_its_folder_on_every_system(name: str) -> None:
    if refused(name):
        return
    file = f"{checked(name)}.md"
    assert PurePosixPath(file).parts == PureWindowsPath(file).parts == (file,)
    assert PureWindowsPath(file).drive == ""
    assert not file.startswith(".")
    assert len(file.encode()) <= 255
    assert not any(unicodedata.category(sign).startswith("C") for sign in file)
    assert checked(file) == checked(name)


@given(ANY, st.sets(st.sampled_from(["note", "a", "a-2", "中文", "memory"])))
def test_a_title_always_gets_a_name_that_is_free_and_may_be_given(title: str, taken: set[str]) -> None:
    name = proposed(title, taken)
    assert checked(name) == name
    assert folded(name) not in {folded(other) for other in taken}


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "../x", "a/b", "a\\b", "/etc/passwd", "C:x", ".hidden", "end.", "end ", " a", ".md", "-rf"),
        *("CON", "con.txt", "Nul", "COM1", "lpt9.md", "com\u00b9", "MEMORY", "memory", "Memory.md"),
        *("a\0b", "a\nb", "a\x7fb", "a\u202eb", "a\u200bb", "a\ud800b", 'a"b', "a?b", "a*b", "a<b", "a|b"),
        *("x" * 201, "中" * 67),
    ],
)
def test_what_some_system_cannot_bear_or_the_store_uses_itself_is_refused(name: str) -> None:
    assert refused(name)


@pytest.mark.parametrize(
    "name", ["build-steps", "中文笔记", "v1.2 notes", "CONSOLE", "common", "日本語", "Ünïcode", "x" * 200, "memory-2"]
)
def test_ordinary_names_of_any_language_pass(name: str) -> None:
    assert checked(name) == name
    assert checked(f"{name}.md") == name


def test_a_name_in_decomposed_form_is_the_composed_one() -> None:
    assert checked("cafe\u0301") == "caf\u00e9"
    assert folded("Stra\u00dfe") == folded("STRASSE")


def test_a_name_tells_its_topic() -> None:
    assert proposed("How we deploy: the Friday rule!", ()) == "how-we-deploy-the-friday-rule"
    assert proposed("部署流程", ()) == "部署流程"
    assert proposed("How we deploy", {"How-We-Deploy"}) == "how-we-deploy-2"
    assert proposed("!!!", ()) == "note"
    assert proposed("CON", ()) == "note-con"
