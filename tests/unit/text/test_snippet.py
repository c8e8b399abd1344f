from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from freehold.text.analyzer import terms
from freehold.text.snippet import excerpt, matching_lines

_WANTED = dict.fromkeys(terms("rollback staging"), 1.0)


def test_the_lines_with_most_of_the_words_are_told_in_their_order() -> None:
    lines = ["one", "staging here", "two", "rollback of staging", "rollback", "staging", "rollback"]
    found = matching_lines(lines, _WANTED, first=10, limit=2)
    assert [(line.number, line.text) for line in found] == [(11, "staging here"), (13, "rollback of staging")]


def test_lines_without_a_word_are_not_told() -> None:
    assert matching_lines(["nothing", ""], _WANTED) == ()


def test_of_a_long_line_the_part_with_the_words_is_shown() -> None:
    line = "filler " * 100 + "then the rollback on staging happens " + "filler " * 100
    shown = excerpt(line, _WANTED, 80)
    assert "rollback on staging" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")


@given(st.text(st.characters()), st.integers(10, 200))
def test_an_excerpt_is_never_wider_than_asked(line: str, width: int) -> None:
    assert len(excerpt(line, _WANTED, width)) <= width


@given(
    st.lists(
        st.sampled_from(["rollback", "Staging", "filler", "rollbackPlan", "登录", "a-b"]), min_size=60, max_size=120
    )
)
def test_a_matching_line_is_cut_as_it_would_be_alone(words: list[str]) -> None:
    line = " ".join(words)
    found = matching_lines([line], _WANTED)
    assert [each.text for each in found] == [excerpt(line, _WANTED, 240)][: len(found)]
    assert bool(found) == any("rollback" in word.lower() or "staging" in word.lower() for word in words)
