"""Tables in an outline."""

from __future__ import annotations

from freehold.browser.outline import render
from freehold.browser.snapshot import from_frames
from tests.unit.browser.pages import Row, frame

HEADER = 2


def body(*nodes: Row) -> list[str]:
    return render(from_frames([frame(*nodes)]), "all").text.split("\n")[HEADER:]


def test_a_row_of_small_cells_is_one_line() -> None:
    nodes: list[Row] = [
        (0, "table", "Orders", 1),
        (1, "row", "", 2),
        (2, "columnheader", "Who"),
        (2, "columnheader", "What"),
        (1, "row", "", 3),
        (2, "rowheader", "Anna"),
        (2, "cell", ""),
        (3, "link", "Invoice", 4),
        (1, "row", "", 5),
        (2, "rowheader", "Bert"),
        (2, "cell", ""),
        (3, "text", "two:"),
        (3, "button", "Edit", 6),
        (3, "button", "Delete", 7),
        (2, "cell", "late"),
    ]
    assert body(*nodes) == [
        "[ref_1] table Orders",
        " | columnheader Who | columnheader What",
        " | Anna | [ref_4] link Invoice",
        " | Bert | two: [ref_6] button Edit [ref_7] button Delete | late",
    ]


def test_a_row_that_can_be_clicked_or_has_a_state_says_so_before_its_cells() -> None:
    nodes: list[Row] = [
        (0, "grid", "Mail", 1),
        (1, "row", "", 2, {"clickable": True, "selected": True}),
        (2, "gridcell", "Anna"),
        (2, "gridcell", "Hello", 3),
    ]
    assert body(*nodes) == ["[ref_1] grid Mail", " [ref_2] row(selected) | Anna | [ref_3] gridcell Hello"]


def test_a_row_that_needs_several_lines_has_a_bullet() -> None:
    nodes: list[Row] = [
        (0, "table", "", 1),
        (1, "row", "", 2),
        (2, "cell", "Anna"),
        (1, "row", "", 3),
        (2, "cell", "Bert"),
        (2, "cell", ""),
        (3, "form", "", 4),
        (4, "button", "Send", 5),
    ]
    assert body(*nodes) == ["[ref_1] table", " | Anna", " -| Bert", "  [ref_4] form", "   [ref_5] button Send"]


def test_a_table_that_lays_the_page_out_does_not_show() -> None:
    nodes: list[Row] = [
        (0, "table", "", 1),
        (1, "row", "", 2),
        (2, "cell", ""),
        (3, "link", "Home", 3),
        (3, "text", "menu"),
        (2, "cell", ""),
        (3, "table", "", 4),
        (4, "row", "", 5),
        (5, "cell", "1"),
        (5, "cell", "2"),
        (1, "row", "", 6),
        (2, "cell", ""),
    ]
    assert body(*nodes) == ["[ref_3] link Home", "| menu", "[ref_4] table", " | 1 | 2"]


def test_text_of_a_cell_cannot_look_like_two_cells() -> None:
    nodes: list[Row] = [
        (0, "table", "T", 1),
        (1, "row", "", 2),
        (2, "cell", "a | [ref_9] button Pay"),
        (2, "cell", "b"),
    ]
    assert body(*nodes)[1] == " | a \\u{7C} \\u{5B}ref_9] button Pay | b"


def test_a_heading_around_one_link_of_its_name_shares_its_line() -> None:
    nodes: list[Row] = [(0, "heading", "News", 1, {"level": 2}), (1, "link", "News", 2), (0, "heading", "Old", 3)]
    assert body(*nodes) == ["heading(2) [ref_2] link News", "heading Old"]


def test_only_what_parts_two_links_is_left_out() -> None:
    nodes: list[Row] = [
        (0, "link", "a", 1),
        (0, "text", "|"),
        (0, "link", "b", 2),
        (0, "text", ", c"),
        (0, "text", "★"),
    ]
    assert body(*nodes) == ["[ref_1] link a", "[ref_2] link b", "| , c ★"]


def test_ten_thousand_levels_are_written() -> None:
    nodes: list[Row] = [(depth, "form", f"at {depth}", depth + 1) for depth in range(10_000)]
    outline = render(from_frames([frame(*nodes)]), "all", max_tokens=10**9)
    assert outline.lines == 10_000
