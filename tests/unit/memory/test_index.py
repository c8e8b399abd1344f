from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from freehold.memory import index
from freehold.memory.topic import Topic

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"]), min_size=1, max_size=30)
NAMES = st.text(st.characters(categories=["L", "N"], include_characters=" -_.()%[]'&"), min_size=1, max_size=20).filter(
    lambda name: name.strip(" .") == name
)


def test_a_sharp_in_a_name_is_no_heading_of_another_file() -> None:
    line = index.line_of(Topic("c#", "C sharp"))
    assert "(c%23.md)" in line
    assert index.linked(line) == index.linked("- [C sharp](c#.md)") == "c#"


@given(NAMES, WORDS, WORDS)
def test_a_line_leads_to_its_topic_for_us_and_for_every_reader_of_markdown(
    name: str, title: str, description: str
) -> None:
    line = index.line_of(Topic(name, title, description))
    assert line.count("\n") == 1
    assert index.linked(line) == name
    tokens = MarkdownIt().parse(line)
    targets = [
        child.attrs.get("href") for token in tokens for child in token.children or [] if child.type == "link_open"
    ]
    assert unquote(urlsplit(str(targets[0])).path) == f"{name}.md"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("- [A](a.md) - text\n", "a"),
        ("* [A \\[1\\]](./a.md)\r\n", "a"),
        ("  + [A](<with space.md>)", "with space"),
        ("- [A](with%20space.md)", "with space"),
        ("- [A](https://example.com/a.md)", ""),
        ("- [A](folder/a.md)", ""),
        ("- [A](%2e%2e%2fa.md)", ""),
        ("- [A](a.txt)", ""),
        ("- see [A](a.md)", ""),
        ("[A](a.md)", ""),
        ("      - [A](a.md)", ""),
        ("text", ""),
    ],
)
def test_only_a_list_item_that_begins_with_a_link_to_a_topic_is_an_index_line(line: str, name: str) -> None:
    assert index.linked(line) == name


def test_a_new_line_comes_after_the_last_one() -> None:
    text = "# Ours\n\n- [A](a.md)\n\nRead on.\n"
    assert index.with_topic(text, Topic("b", "B")) == "# Ours\n\n- [A](a.md)\n- [B](b.md)\n\nRead on.\n"
    assert index.with_topic("no line end", Topic("b", "B")) == "no line end\n\n- [B](b.md)\n"
    assert index.with_topic("", Topic("b", "B")) == "# Memory\n\n- [B](b.md)\n"


def test_a_line_is_made_anew_only_where_no_person_has_changed_it() -> None:
    old, new = Topic("a", "Old", "d"), Topic("a", "New", "e")
    assert index.with_topic(index.line_of(old), new, old) == "- [New](a.md) \u2014 e\n"
    for mine in ("- [Old](a.md) \u2014 d!\n", "* [Old](a.md)\n"):
        assert index.with_topic(mine, new, old) == mine


def test_a_long_description_is_cut_in_the_index() -> None:
    line = index.line_of(Topic("a", "A", "word " * 100))
    assert len(line) < 230
    assert line.endswith("\u2026\n")


LINES = st.lists(
    st.sampled_from(["- [A](a.md)\n", "- [B](b.md) mine\n", "- [X](x.md)\n", "text\n", "\n", "- [A](a.md)\r\n", "# h"])
)


@given(LINES.map("".join))
def test_a_repaired_index_has_every_topic_no_dead_line_and_every_other_line(text: str) -> None:
    topics = [Topic("a", "A"), Topic("b", "B")]
    repaired, changes = index.repaired(text, topics)
    links = [name for line in repaired.splitlines() if (name := index.linked(line))]
    assert set(links) == {"a", "b"}
    assert index.repaired(repaired, topics) == (repaired, [])
    others = [line for line in text.split("\n") if line.strip() and not index.linked(line)]
    assert [line for line in repaired.split("\n") if line.strip() and not index.linked(line)][
        -len(others) :
    ] == others or not others
    assert (repaired == text) == (not changes)


@given(LINES.map("".join))
def test_taking_a_topic_out_and_putting_its_line_back_loses_no_line(text: str) -> None:
    without, line = index.without_topic(text, "a")
    assert index.linked(line) in {"a", ""}
    assert all(index.linked(other) != "a" for other in without.splitlines())
    if line:
        assert line.rstrip("\r\n") in index.with_line(without, line).splitlines()
