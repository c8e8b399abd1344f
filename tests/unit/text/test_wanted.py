from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freehold.text import english
from freehold.text.analyzer import terms
from freehold.text.wanted import Wanted

_ANY = st.text(st.characters() | st.sampled_from("abcXYZ019 _-./'登录部署のжöİ\u0301"))
_ENDINGS = st.sampled_from(["", "s", "es", "ies", "y", "ing", "ying", "ed", "ly", "ness", "ation", "ational"])
_WORDS = st.tuples(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1), _ENDINGS).map("".join)


@given(_WORDS, _WORDS)
def test_no_word_is_passed_over_that_has_a_term(word: str, other: str) -> None:
    wanted = set(terms(f"{word} {other}"))
    for text in (word, other, word.title()):
        assert set(Wanted(wanted).has(text)) == set(terms(text)) & wanted


@pytest.mark.parametrize("word", [*english.BASES, "skis", "skies", "dying", "lying", "tying", "idly", "only", "early"])
def test_irregular_forms_are_found_by_their_base(word: str) -> None:
    base = english.BASES.get(word, word)
    assert Wanted(terms(word)).has(base) == terms(word)
    assert Wanted(terms(base)).has(word) == terms(word)


@given(_ANY)
def test_a_text_has_places_of_every_term_it_has_as_it_stands(text: str) -> None:
    found = Wanted(set(terms(text))).places(text)
    assert [start for start, _ in found] == sorted({start for start, _ in found})
    if text.isascii():
        assert {term for _, has in found for term in has} == set(terms(text))


@given(_ANY)
def test_the_words_of_a_text_have_all_of_its_terms(text: str) -> None:
    wanted = set(terms(text))
    assert {term for has in Wanted(wanted).words(text).values() for term in has} == wanted


def test_places_begin_where_the_word_stands() -> None:
    found = Wanted({"rollback", "录"}).places("Run the rollbackRelease now, 登录页")
    assert found == [(8, ["rollback"]), (29, ["录"])]
