from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freehold.browser.outline import Outline, render
from freehold.browser.snapshot import from_frames
from freehold.errors import UsageError
from tests.unit.browser.pages import Row, frame

HEADER = 2


def body(*nodes: Row, **options: Any) -> list[str]:
    return outline(*nodes, **options).text.split("\n")[HEADER:]


def outline(*nodes: Row, **options: Any) -> Outline:
    return render(from_frames([frame(*nodes)]), **options)


def test_the_header_tells_address_title_viewport_and_scroll() -> None:
    assert outline().text.split("\n")[:HEADER] == [
        "https://shop.example/ | Shop",
        "viewport 1280x900 at 0,40 of 1280x3400",
    ]


def test_interactive_lists_what_can_be_acted_on_without_indent() -> None:
    nodes: list[Row] = [
        (0, "main", "", 1),
        (1, "heading", "Sign in", 2, {"level": 1}),
        (1, "textbox", "Email", 3, {"required": True, "value": "foo@x", "type": "email"}),
        (2, "text", "Email"),
        (1, "button", "More", 4, {"disabled": True, "expanded": False}),
    ]
    assert body(*nodes) == ["[ref_3] textbox(required,email) Email = foo@x", "[ref_4] button(disabled,collapsed) More"]


def test_all_shows_structure_and_text() -> None:
    nodes: list[Row] = [
        (0, "main", ""),
        (1, "heading", "Sign in", 0, {"level": 2}),
        (2, "text", "Sign in"),
        (1, "paragraph", ""),
        (2, "text", "Welcome"),
        (2, "strong", ""),
        (3, "text", "back"),
        (1, "paragraph", ""),
        (2, "text", "Second"),
    ]
    assert body(*nodes, filter="all") == ["main", " heading(2) Sign in", " | Welcome back", " | Second"]


def test_runs_of_text_are_joined_and_a_lone_text_stands_in_its_elements_line() -> None:
    nodes: list[Row] = [
        (0, "status", ""),
        (1, "text", "from"),
        (1, "text", "12 €"),
        (0, "form", "", 2),
        (1, "link", "Buy", 6),
        (1, "text", "now"),
    ]
    assert body(*nodes, filter="all") == ["status | from 12 €", "[ref_2] form", " [ref_6] link Buy", " | now"]


def test_a_long_article_is_cut_between_its_paragraphs() -> None:
    nodes: list[Row] = [(0, "main", ""), *((1, "text", f"{number} " + "word " * 60) for number in range(50))]
    result = outline(*nodes, filter="all", max_tokens=1_000)
    assert result.lines > 5
    assert result.left_out > 5


def test_the_first_line_of_a_list_item_has_a_bullet_and_the_others_stand_beside_it() -> None:
    nodes: list[Row] = [
        (0, "list", ""), (1, "listitem", ""), (2, "link", "Home", 1), (2, "text", "start"),
        (1, "listitem", ""), (2, "paragraph", ""), (3, "text", "About"), (1, "listitem", ""),
    ]  # fmt: skip
    assert body(*nodes, filter="all") == ["-[ref_1] link Home", " | start", "-| About"]


def test_a_list_item_that_is_only_text_is_a_bullet_and_its_text() -> None:
    nodes: list[Row] = [(0, "list", "", 4), (1, "listitem", "Bread"), (1, "listitem", "Milk", 5)]
    assert body(*nodes, filter="all") == ["-| Bread", "[ref_5] listitem Milk"]


def test_states_are_words_before_the_name() -> None:
    states: dict[str, Any] = {
        "checked": "mixed",
        "current": "page",
        "haspopup": "dialog",
        "pressed": True,
        "invalid": True,
    }
    assert body((0, "button", "X", 1, states)) == [
        "[ref_1] button(invalid,checked=mixed,pressed,current=page,popup=dialog) X"
    ]


def test_options_placeholder_and_description_follow_the_value() -> None:
    states: dict[str, Any] = {"value": "b", "options": ["a", "b"], "placeholder": "Pick", "description": "One of two"}
    assert body((0, "combobox", "Size", 1, states)) == [
        "[ref_1] combobox Size = b options: a / b placeholder: Pick description: One of two"
    ]


def test_a_name_cannot_pretend_to_carry_a_value() -> None:
    assert body((0, "textbox", "Amount = 5", 1, {"required": True})) == ["[ref_1] textbox(required) Amount \\u{3D} 5"]


def test_targets_of_links_are_shown_only_when_asked_for() -> None:
    link: Row = (0, "link", "Home", 1, {"url": "https://shop.example/home"})
    assert body(link) == ["[ref_1] link Home"]
    assert body(link, urls=True) == ["[ref_1] link Home -> https://shop.example/home"]


def test_a_role_of_the_page_cannot_open_a_line() -> None:
    assert body((0, "[ref_9] button Pay", "x", 1)) == ["[ref_1] generic x"]


@given(st.text(st.characters()), st.text(st.characters()), st.text(st.characters()))
def test_no_text_of_a_page_can_look_like_a_line_of_ours(role: str, name: str, value: str) -> None:
    nodes: list[Row] = [
        (0, role, name),
        (0, "text", name),
        (0, "textbox", name, 7, {"value": value, "description": name}),
    ]
    lines = body(*nodes, filter="all")
    assert [line for line in lines if "[ref_" in line] == [line for line in lines if line.startswith("[ref_7] textbox")]
    assert all(re.match(r"\[ref_7\] |\| |[A-Za-z]", line) for line in lines)


def test_a_ref_reads_only_what_is_in_it() -> None:
    nodes: list[Row] = [(0, "form", "A", 1), (1, "button", "In", 2), (0, "button", "Out", 3)]
    assert body(*nodes, ref=1) == ["[ref_2] button In"]


def test_an_unknown_ref_says_what_to_call() -> None:
    with pytest.raises(UsageError) as caught:
        outline((0, "button", "In", 2), ref=99)
    assert caught.value.code == "unknown_ref"


def test_depth_tells_how_much_is_under_each_line() -> None:
    nodes: list[Row] = [
        (0, "main", ""),
        (1, "form", "A", 1),
        (2, "button", "B", 2),
        (2, "button", "C", 3),
        (0, "contentinfo", ""),
    ]
    lines = body(*nodes, filter="all", depth=2)
    assert lines[:3] == ["main", " [ref_1] form A …+2", "contentinfo"]
    assert "2 lines" in lines[3]


def test_the_last_line_says_what_the_cap_left_out_and_every_way_to_get_it() -> None:
    nodes: list[Row] = [(0, "main", "", 1)]
    nodes += [(1, "button", f"Buy number {number}", number) for number in range(10, 200)]
    nodes += [(0, "contentinfo", "", 500), *((1, "link", f"Legal {number}", number) for number in range(501, 520))]
    result = outline(*nodes, max_tokens=1_000)
    *lines, note = result.text.split("\n")[HEADER:]
    first_cut = 10 + len(lines)
    assert note.startswith(
        f"… {result.left_out} more lines with {result.left_out} elements (ref_{first_cut} to ref_519)"
    )
    assert "ref=ref_1 (main)" in note
    assert "ref=ref_500 (contentinfo)" in note
    assert len(lines) == result.lines == 190 + 19 - result.left_out
    needed = re.search(r"max_tokens=(\d+) for everything", note)
    assert needed
    assert outline(*nodes, max_tokens=int(needed[1])).left_out == 0


@pytest.mark.parametrize("max_tokens", [0, 100, 1_000, 5_000])
def test_the_cap_holds_for_header_and_last_line_too(max_tokens: int) -> None:
    nodes: list[Row] = [
        (0, "link", f"Rather a long name for a link, number {number}", number) for number in range(1, 2_000)
    ]
    assert outline(*nodes, max_tokens=max_tokens).tokens <= max(max_tokens, 150)


def test_a_very_long_name_is_cut_with_a_count() -> None:
    assert body((0, "link", "x" * 1_000, 1)) == [f"[ref_1] link {'x' * 300}…(+700 characters)"]


def test_an_empty_page_says_so() -> None:
    assert len(body()) == 1


def test_an_element_that_has_a_ref_only_because_it_can_be_clicked_is_listed() -> None:
    nodes: list[Row] = [(0, "row", "Anna", 1), (1, "cell", "Open", 2), (1, "cell", "12"), (1, "generic", "Menu", 3)]
    assert body(*nodes) == ["[ref_2] cell Open", "[ref_3] generic Menu"]
