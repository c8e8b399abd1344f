from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freehold.text.analyzer import is_unspaced, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("addToCart add_to_cart", ("add", "to", "cart", "add", "to", "cart")),
        ("Billing's entries", ("bill", "entri")),
        ("HTMLParser 42nd", ("html", "parser", "42", "nd")),
        ("登录 Login", ("登", "录", "login")),
        ("Ｆｕｌｌ ｗｉｄｔｈ", ("full", "width")),
        ("Größe ÄNDERN", ("grösse", "ändern")),
        ("\uf0c9 !? 🎉", ()),
    ],
)
def test_words_of_any_language_become_tokens(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("one", "other"), [("comments", "comment"), ("saving", "save"), ("categories", "category"), ("stopped", "stop")]
)
def test_forms_of_an_english_word_are_one_token(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize(("one", "other"), [("bus", "bu"), ("address", "addres"), ("red", "r")])
def test_different_words_stay_different(one: str, other: str) -> None:
    assert tokens(one) != tokens(other)


@given(st.text(st.characters()))
def test_every_text_has_tokens_without_white_space(text: str) -> None:
    assert all(token and not token.isspace() for token in tokens(text))


def test_characters_of_scripts_without_spaces_are_told_apart() -> None:
    assert [is_unspaced(token) for token in ("登", "a", "ж", "の", "1", "한")] == [
        True,
        False,
        False,
        True,
        False,
        True,
    ]
