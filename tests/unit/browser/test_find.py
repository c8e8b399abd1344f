from __future__ import annotations

import pytest

from freehold.browser.find import rank
from freehold.browser.snapshot import Snapshot, from_frames
from tests.unit.browser.pages import Row, frame


def page(*nodes: Row) -> Snapshot:
    return from_frames([frame(*nodes)])


def names(snapshot: Snapshot, query: str) -> list[str]:
    return [candidate.name for candidate in rank(snapshot, query)]


def first(snapshot: Snapshot, query: str) -> int:
    found = rank(snapshot, query)
    return found[0].ref if found else 0


SHOP = page(
    (0, "banner", "", 0),
    (1, "link", "Log in", 1),
    (1, "searchbox", "Search", 2),
    (1, "button", "\uf07a", 3),
    (0, "main", "", 0),
    (1, "heading", "Fruit", 4, {"level": 2}),
    (1, "link", "See all", 5),
    (1, "button", "Add to cart", 6),
    (1, "heading", "Vegetables", 7, {"level": 2}),
    (1, "link", "See all", 8),
    (1, "checkbox", "Organic", 9, {"checked": True}),
    (1, "checkbox", "Local", 10),
    (1, "button", "Save", 11, {"disabled": True}),
    (1, "button", "Save", 12),
    (0, "contentinfo", "", 0),
    (1, "link", "设置", 13),
)

INVOICES = page(
    (0, "table", "Invoices", 1),
    (1, "row", "", 2), (2, "columnheader", "Number", 3), (2, "columnheader", "Total", 4), (2, "columnheader", "", 5),
    *(
        row
        for at, number in enumerate((41, 42, 43))
        for row in (
            (1, "row", "", 10 + 10 * at), (2, "cell", f"Invoice {number}", 11 + 10 * at),
            (2, "cell", f"{number * 7} €", 12 + 10 * at),
            (2, "cell", "", 13 + 10 * at), (3, "button", "Delete", 14 + 10 * at),
        )
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("query", "ref"),
    [
        ("sign in", 1), ("the search box", 2), ("shopping basket icon", 3), ("put it in my basket", 6), ("登录", 1),
        ("搜索框", 2),
        ("settings in the footer", 13), ("disabled save button", 11), ("the checkbox that is checked", 9),
        ("See all under the heading Vegetables", 8),
        ("second See all link", 8), ("last checkbox", 10), ("第二个复选框", 10),
    ],
)  # fmt: skip
def test_an_element_is_found_by_what_a_person_would_call_it(query: str, ref: int) -> None:
    assert first(SHOP, query) == ref


@pytest.mark.parametrize(
    ("query", "ref"),
    [
        ("the delete button in the row of invoice 42", 24), ("delete button in the third row", 34),
        ("第二行的删除按钮", 24),
        ("Invoice 43's total", 32),
        ("trash can of the last row", 34),
    ],
)  # fmt: skip
def test_an_element_of_a_table_is_found_by_its_row_and_column(query: str, ref: int) -> None:
    assert first(INVOICES, query) == ref


@pytest.mark.parametrize("query", ["refund button", "log out link", "扫码支付", "", "the", "!?", "🎉"])
def test_where_nothing_fits_nothing_is_named(query: str) -> None:
    assert rank(SHOP, query) == []


def test_elements_without_a_ref_are_no_candidates() -> None:
    assert rank(page((0, "button", "Save")), "save") == []


def test_an_exact_name_comes_before_a_longer_one() -> None:
    snapshot = page((0, "link", "Pay later with a card", 1), (0, "link", "Pay later", 2))
    assert names(snapshot, "pay later") == ["Pay later", "Pay later with a card"]


def test_no_more_than_the_limit_come_back_and_each_says_why() -> None:
    snapshot = page(*((0, "button", "Delete", ref) for ref in range(1, 100)))
    found = rank(snapshot, "delete button")
    assert [candidate.ref for candidate in found] == list(range(1, 21))
    assert found[0].why == "delete, button"
    assert len(rank(snapshot, "delete button", limit=3)) == 3


def test_an_empty_page_has_nothing() -> None:
    assert rank(page(), "save") == []


@pytest.mark.parametrize("query", ["Go", "go button", "the Go button"])
def test_a_name_that_is_no_more_than_a_common_word_is_found(query: str) -> None:
    assert first(page((0, "link", "News", 1), (0, "button", "Go", 2)), query) == 2
