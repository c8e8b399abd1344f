from __future__ import annotations

from freehold.surfaces.cli.tour.outline import Outline

_TEXT = """http://site/ | Shop
viewport 1280x720, scrolled to 0,0 of 1280x1900
heading(2) Ceylon tea
 [ref_3] button Add to basket
heading(2) Storm lantern
 - [ref_4] button(disabled) Add to basket
[ref_5] textbox(required) Email = foo@x
| Wool blanket | 12 € | [ref_6] button Wrap [ref_7] button Add to basket
| [\\u{72}ef_9] button Pay"""


def test_an_element_is_found_by_role_and_name() -> None:
    assert Outline(_TEXT).ref("button", "Add to basket") == "ref_3"


def test_one_of_several_with_the_same_name_is_the_one_below_the_words() -> None:
    assert Outline(_TEXT).ref("button", "Add to basket", after="Storm lantern") == "ref_4"


def test_a_value_is_not_part_of_the_name() -> None:
    assert Outline(_TEXT).ref("textbox", "Email") == "ref_5"


def test_what_is_not_there_has_no_ref() -> None:
    outline = Outline(_TEXT)
    assert outline.ref("button", "Pay") is None
    assert outline.ref("button", "Add to basket", after="Silk scarf") is None


def test_elements_in_one_row_are_told_apart() -> None:
    assert Outline(_TEXT).ref("button", "Wrap", after="Wool blanket") == "ref_6"
    assert Outline(_TEXT).ref("button", "Add to basket", after="Wool blanket") == "ref_7"
