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


FORM = page(
    (0, "heading", "Account", 1, {"level": 1}),
    (0, "text", "Business ID", 0),
    (0, "textbox", "", 2),
    (0, "text", "Visible to all", 0),
    (0, "switch", "Off", 3),
    (0, "combobox", "", 4, {"options": ["Newest", "Oldest"]}),
    (0, "button", "", 5, {"hint": "btn fas fa-trash-alt"}),
    (0, "button", "×", 6),
    (0, "button", "Connected", 7),
    (0, "button", "Connect", 8),
    (0, "link", "WhatsApp", 9),
    (0, "button", "Specifications", 10),
    (0, "button", "Log on", 11),
    (0, "radio", "Dark", 12),
    (0, "radio", "Light", 13, {"checked": True}),
)


@pytest.mark.parametrize(
    ("query", "ref"),
    [
        ("business ID", 2), ("the visible to all switch", 3), ("drop-down with newest and oldest", 4),
        ("trash can", 5), ("delete button", 5), ("删除", 5), ("close", 6), ("Connect button", 8), ("whatsapp", 9),
        ("Whatsapp link", 9), ("specs", 10), ("whatsap", 9), ("log me on", 11), ("radio that is selected", 13),
        ("'Connected'", 7),
    ],
)  # fmt: skip
def test_a_control_is_found_by_its_label_its_icon_its_options_or_a_slip_of_the_keys(query: str, ref: int) -> None:
    assert first(FORM, query) == ref


LISTS = page(
    (0, "link", "Articles", 1),
    (0, "heading", "Contributors 3", 2, {"level": 2}),
    (0, "list", "", 3),
    (1, "listitem", "", 0), (2, "link", "@anna", 4), (2, "link", "Anna A.", 5),
    (1, "listitem", "", 0), (2, "link", "@ben", 6), (2, "link", "Ben B.", 7),
    (1, "listitem", "", 0), (2, "link", "@cleo", 8), (2, "link", "Cleo C.", 9),
    (0, "heading", "People you may know", 10, {"level": 2}),
    (1, "heading", "Dora", 11, {"level": 3}), (1, "link", "Email", 12),
    (1, "heading", "Emil", 13, {"level": 3}), (1, "link", "Email", 14),
    (0, "contentinfo", "", 0),
    (1, "list", "", 15),
    (2, "listitem", "", 0), (3, "link", "1", 16), (2, "listitem", "", 0), (3, "link", "2", 17),
    (2, "listitem", "", 0), (3, "link", "9", 18), (2, "listitem", "", 0), (3, "link", "Older", 19, {"disabled": True}),
)  # fmt: skip


@pytest.mark.parametrize(
    ("query", "ref"),
    [
        ("second contributor's profile link", 6), ("the last contributor", 8),
        ("name of the last person you may know", 13),
        ("email of Emil", 14), ("last page number", 18), ("page 2", 17), ("最后一个页码", 18),
        ("third contributor (not Ben)", 8),
    ],
)  # fmt: skip
def test_one_of_several_is_found_by_its_number_in_its_list_or_section(query: str, ref: int) -> None:
    assert first(LISTS, query) == ref


@pytest.mark.parametrize(
    "query",
    [
        "delete Emil",
        "sort the contributors by name",
        "export as CSV",
        "log out",
        "删除第二个联系人",
    ],
)
def test_an_action_that_no_element_does_is_not_found_by_its_object(query: str) -> None:
    assert rank(LISTS, query) == []


def test_the_nameless_button_beside_a_search_field_searches() -> None:
    snapshot = page((0, "form", "", 0), (1, "textbox", "Search news", 1), (1, "button", "", 2), (0, "button", "", 3))
    assert first(snapshot, "magnifier button") == 2


def test_a_page_of_private_letters_and_signs_is_read() -> None:
    assert rank(page((0, "button", "\ue000", 1), (0, "button", "‹›", 2), (0, "button", " : ", 3)), "next") == []


def test_a_name_that_holds_half_the_page_is_not_meant() -> None:
    everything = "Save Delete Print " + "and more words " * 40
    assert names(page((0, "cell", everything, 1), (0, "button", "Print", 2)), "print")[0] == "Print"


def test_of_a_long_text_only_the_beginning_is_read() -> None:
    assert first(SHOP, "basket button " + "and then something else " * 10_000) == rank(SHOP, "basket button")[0].ref
