from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freehold.text.analyzer import joined_terms
from freehold.text.query import MAX_TERMS, parse


def test_words_that_ask_or_join_do_not_count() -> None:
    assert parse("How do we deploy the service?").terms == ("deploy", "servic")
    assert not {"的", "什么"} & set(parse("登录的什么").terms)


def test_where_there_are_only_such_words_they_count() -> None:
    assert parse("to be or not").terms == ("to", "be", "or", "not")


def test_quoted_phrases_required_and_excluded_words_are_read() -> None:
    query = parse('deploy "blue green" +staging -"old host" -legacy')
    assert query.phrases == (("blue", "green"),)
    assert query.required == (("stage",),)
    assert query.excluded == (("old", "host"), ("legaci",))
    assert set(query.terms) == {"deploy", "blue", "green", "stage"}


def test_a_hyphen_inside_a_word_excludes_nothing() -> None:
    assert parse("re-run well-known --force").excluded == ()


@pytest.mark.parametrize("quotes", ['"{}"', "\u201c{}\u201d"])
def test_curly_quotes_are_quotes(quotes: str) -> None:
    assert parse(quotes.format("两步验证")).phrases == (("两", "步", "验", "证"),)


def test_all_terms_requires_every_word_but_those_that_ask() -> None:
    assert parse("how to deploy staging", all_terms=True).required == (("deploy",), ("stage",))


def test_a_pasted_page_is_searched_by_its_first_words() -> None:
    assert len(parse(" ".join(f"word{number}x" for number in range(1_000))).terms) == MAX_TERMS


@given(st.text(st.characters()), st.booleans())
def test_whatever_is_asked_fts5_understands(text: str, all_terms: bool) -> None:
    query = parse(text, all_terms=all_terms)
    if query.terms:
        with sqlite3.connect(":memory:") as db:
            db.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize = 'ascii')")
            db.execute("INSERT INTO t VALUES (?)", (joined_terms(text),))
            db.execute("SELECT count(*) FROM t WHERE t MATCH ?", (query.to_fts5(),)).fetchone()
        db.close()
