from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from freehold.memory.sections import Section, sections

_LINES = st.sampled_from(
    ["", "# Head", "text here", "- item", "1. one", "```", "~~~", "===", "---", "    code", "long " * 200]
)


def _told(body: str) -> list[tuple[str, int, int]]:
    return [(section.heading, section.first, section.last) for section in sections(body)]


def test_a_heading_begins_a_section_and_names_those_below_it() -> None:
    body = "intro\n\n# One\n\ntext\n\n- item\n\nUnder\n-----\nmore"
    assert _told(body) == [("", 0, 0), ("One", 2, 6), ("Under", 8, 10)]


def test_small_paragraphs_stand_together_and_large_ones_apart() -> None:
    small, large = "word " * 10, "word " * 100
    assert len(sections("\n\n".join([small] * 3))) == 1
    assert len(sections("\n\n".join([large] * 3))) == 3


def test_a_list_is_one_section_with_the_line_that_introduces_it() -> None:
    assert _told("Steps:\n\n- one\n\n- two\n  more\n- three\n\nafter that") == [("", 0, 6), ("", 8, 8)]


def test_a_heading_in_a_fence_is_code() -> None:
    assert _told("```sh\n# comment\n```\n\n# Head\n") == [("", 0, 2), ("Head", 4, 4)]


def test_a_fence_that_is_never_closed_ends_with_the_text() -> None:
    assert _told("~~~\n# a\n\n# b") == [("", 0, 3)]


def test_a_heading_without_text_below_it_is_a_section_of_its_own() -> None:
    assert sections("# Only") == [Section("Only", 0, 0, "", opens=True)]


def test_a_very_long_block_is_cut_at_a_line() -> None:
    assert len(sections("\n".join(["word " * 20] * 100))) > 3


@given(st.lists(_LINES, max_size=20))
def test_every_line_that_is_not_blank_is_in_exactly_one_section(lines: list[str]) -> None:
    found = sections("\n".join(lines))
    covered = [at for section in found for at in range(section.first, section.last + 1)]
    assert covered == sorted(set(covered))
    assert {at for at, line in enumerate(lines) if line.strip()} <= set(covered)


@given(st.text(st.characters()))
def test_any_text_has_sections(body: str) -> None:
    for section in sections(body):
        assert 0 <= section.first <= section.last <= body.count("\n")
