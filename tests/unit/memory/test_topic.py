from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from freehold.memory.topic import KEYS, Topic, parse, render

# What UTF-8 can write; everything else is refused before it comes here.
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
MARKUP = st.lists(
    st.sampled_from(["---", "...", "\n", "\r\n", "\r", " ", "title: x", "a: [1, 2]", "# c", ": ", "\ufeff", "text"])
)
FILES = st.one_of(ANY_TEXT, MARKUP.map("".join), MARKUP.map(lambda parts: "---\n" + "".join(parts)))
VALUES = st.one_of(
    ANY_TEXT, st.sampled_from(["2026-01-31", "true", "null", "'", '"', "- a", "#", "key: value", "---", "中文"])
)


@given(FILES)
@example("---\n---\n")
@example("---\ntitle: x\n---")
@example("---\ntitle: [x\n---\nbody")
@example("\ufeff---\r\ntitle: x\r\n---\r\n\r\nbody")
def test_a_file_is_read_and_written_back_byte_for_byte_whatever_is_in_it(text: str) -> None:
    assert render(parse("name", text)) == text


@given(st.builds(Topic, st.just("name"), *[VALUES] * len(KEYS), body=FILES))
@example(Topic("name", source="\x85", title="a\u2028b", body="---\n"))
@example(Topic("name", body="---\n"))
def test_a_new_topic_comes_back_with_every_byte_of_its_body(topic: Topic) -> None:
    again = parse("name", render(topic))
    assert (again.body, again.broken) == (topic.body, "")
    assert {key: getattr(again, key) for key in KEYS if getattr(topic, key)} == {
        key: getattr(topic, key) for key in KEYS if getattr(topic, key)
    }


@given(FILES, VALUES, VALUES, FILES)
def test_changing_a_topic_keeps_the_keys_that_freehold_does_not_know(
    text: str, title: str, source: str, body: str
) -> None:
    before = parse("name", f"---\nowner: {{team: a}}  # ours\ntitle: old\ntags:\n  - x\n  - y\n---\n{text}")
    assert not before.broken
    after = parse("name", render(replace(before, title=title or "t", source=source, body=body)))
    assert (after.title, after.source, after.body, after.broken) == (title or "t", source, body, "")
    for line in ("owner: {team: a}  # ours\n", "tags:\n  - x\n  - y\n"):
        assert line in after.front


@pytest.mark.parametrize(
    "front",
    [
        "title: old\nmore: &a 1\nagain: *a\n",
        "{title: old, more: 1, again: 1}\n",
        '"title": old\nmore: 1\nagain: 1\n',
        "? title\n: old\nmore: 1\nagain: 1\n",
        "title: |\n  old\n  # not a comment\nmore: 1\nagain: 1\n",
        "more: 1\ntitle: old\ntitle: older\nagain: 1\n",
        "  title: old\n  more: 1\n  again: 1\n",
        "title: &t old\nmore: 1\nagain: 1\nsource: *t\n",
    ],
)
def test_unusual_front_matter_is_changed_without_losing_a_key(front: str) -> None:
    before = parse("name", f"---\n{front}---\nbody\n")
    after = parse("name", render(replace(before, title="new: title")))
    assert (after.title, after.body, after.broken) == ("new: title", "body\n", "")
    assert "more: 1" in after.front or "more: &" in after.front
    assert "again" in after.front


def test_only_the_changed_line_differs() -> None:
    text = "---\n# kept\ntitle: old\n\n# about the next\nowner: me\r\n---\n\nbody"
    assert render(replace(parse("name", text), title="new")) == text.replace("old", "new")


def test_a_date_stays_as_it_was_written() -> None:
    topic = parse("name", "---\ncreated: 2026-01-31\nverified: 2026-01-31T10:00:00Z\n---\n")
    assert (topic.created, topic.verified) == ("2026-01-31", "2026-01-31T10:00:00Z")
    assert "updated: 2026-02-01\n" in render(replace(topic, updated="2026-02-01"))


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: never closed\n\nbody",
        "---\ntitle: [\n---\nbody",
        "---\n- a\n- list\n---\nbody",
        "---\ntitle: {a: b}\n---\nbody",
        "---\ntitle: \x07\n---\nbody",
        "---\na: " + "[" * 20_000 + "\n---\nbody",
        "---\na: *nothing\n---\nbody",
    ],
)
def test_broken_front_matter_is_named_and_the_whole_file_is_its_body(text: str) -> None:
    topic = parse("build-steps", text)
    assert topic.broken
    assert topic.protected
    assert topic.body == text


def test_a_file_without_front_matter_takes_its_title_from_its_heading_and_is_protected() -> None:
    topic = parse("notes", "Intro\n\n## How we deploy ##\n")
    assert (topic.title, topic.broken, topic.protected) == ("How we deploy", "", True)
    assert parse("build_steps-two", "text").title == "build steps two"


def test_every_byte_counts_for_the_revision() -> None:
    one, other = parse("a", "---\ntitle: x\n---\nbody"), parse("a", "---\ntitle: x\n---\nbody\n")
    assert one.revision != other.revision
    assert one.revision == parse("b", "---\ntitle: x\n---\nbody").revision
