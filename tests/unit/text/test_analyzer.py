from __future__ import annotations

import sqlite3
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freehold.text.analyzer import is_unspaced, joined_terms, terms, tokens

_HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=12)
_ANY = st.text(st.characters())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("addToCart add_to_cart", ("add", "to", "cart", "add", "to", "cart")),
        ("Billing's entries", ("bill", "entri")),
        ("HTMLParser 42nd", ("html", "parser", "42", "nd")),
        ("登录 Login", ("登", "录", "login")),
        ("Ｆｕｌｌ ｗｉｄｔｈ", ("full", "width")),
        ("Größe ÄNDERN", ("grösse", "ändern")),
        ("it's the boys' l'avion, don't", ("it", "the", "boy", "l", "avion", "dont")),
        ("\uf0c9 !? 🎉", ()),
    ],
)
def test_words_of_any_language_become_tokens(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("comments", "comment"),
        ("saving", "save"),
        ("categories", "category"),
        ("stopped", "stop"),
        ("went", "goes"),
        ("children", "child"),
        ("настройки", "настройка"),
        ("İstanbul", "istanbul"),
        ("co\u00adoperate", "cooperate"),
        ("שָׁלוֹם", "שלום"),
    ],
)
def test_forms_of_a_word_are_one_token(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize(("one", "other"), [("bus", "bu"), ("address", "addres"), ("red", "r"), ("organ", "organize")])
def test_different_words_stay_different(one: str, other: str) -> None:
    assert tokens(one) != tokens(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("addToCart", ["add", "to", "cart", "addtocart"]),
        ("zipfile.ZipFile", ["zipfil", "zip", "file", "zipfile", "zipfilezipfile"]),
        ("src/app.py", ["src", "app", "py", "srcapppy"]),
        ("sha256", ["sha", "256", "sha256"]),
        ("OAuth2", ["o", "auth", "2", "oauth", "oauth2"]),
        ("PostgreSQL15.config", ["postgr", "sql", "15", "config", "postgresql", "postgresql15", "postgresql15config"]),
        ("登录页", ["登", "录", "页", "登录", "录页"]),
        ("用Python写", ["用", "python", "写"]),
    ],
)
def test_an_index_has_names_whole_and_in_parts_and_characters_with_their_pairs(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_however_a_name_is_written_it_is_found_whole() -> None:
    assert {terms(name)[-1] for name in ("rollbackRelease", "rollback_release", "rollback-release")} == {
        "rollbackrelease"
    }


@given(_ANY)
def test_every_text_has_terms_of_letters_and_digits_only(text: str) -> None:
    for term in terms(text):
        assert term == term.casefold() or not term.isascii()
        assert not any(character.isspace() or character in "\"'()*^-+:_\0" for character in term)


@given(_ANY)
def test_terms_are_the_tokens_in_order_and_then_what_is_whole(text: str) -> None:
    assert tuple(terms(text)[: len(tokens(text))]) == tokens(text)


@given(_ANY, _ANY)
def test_what_a_space_parts_is_analysed_apart(one: str, other: str) -> None:
    assert tokens(f"{one} {other}") == tokens(one) + tokens(other)


@given(_HAN)
def test_a_run_of_han_has_every_character_and_every_pair(run: str) -> None:
    folded = [*tokens(run)]
    assert terms(run) == folded + [one + other for one, other in pairwise(folded)]


@given(_HAN, st.from_regex("[a-z]{1,8}", fullmatch=True), _HAN)
def test_han_and_latin_are_cut_at_their_border(before: str, word: str, after: str) -> None:
    assert tokens(before + word + after) == tokens(before) + tokens(word) + tokens(after)


@given(st.lists(_ANY, min_size=1, max_size=4))
def test_fts5_finds_every_term_of_a_text_under_the_same_name(words: list[str]) -> None:
    text = " ".join(words)
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize = 'ascii')")
    db.execute("INSERT INTO t VALUES (?)", (joined_terms(text),))
    for term in terms(text):
        assert db.execute("SELECT count(*) FROM t WHERE t MATCH ?", (f'"{term}"',)).fetchone() == (1,), term
    db.close()


def test_characters_of_scripts_without_spaces_are_told_apart() -> None:
    letters = ("登", "a", "ж", "の", "1", "한")
    assert [is_unspaced(token) for token in letters] == [True, False, False, True, False, True]


@pytest.mark.parametrize(
    "text", ["日本語のテスト", "한국어 문서", "Привет мир", "مرحبا بالعالم", "สวัสดี", "हिन्दी में", "Ελλάδα"]
)
def test_words_of_every_script_find_themselves(text: str) -> None:
    assert set(tokens(text.split(maxsplit=1)[0])) <= set(terms(text))
    assert terms(text)
