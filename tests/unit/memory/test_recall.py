from __future__ import annotations

from pathlib import Path

import pytest

from freehold.errors import UsageError
from freehold.memory.recall import Recall, search

_DEPLOY = """---
title: How we deploy
description: steps and who may
tags: [infra]
---

# Deploy

We run `scripts/deploy.sh` on the staging cluster first.

## Rollback

- call rollbackRelease() with the last tag
- then tell the team
"""
_LOGIN = "# 登录页面\n\n用户登录时需要两步验证。\n\n## 锁定\n\n密码错误五次锁定账号三十分钟。\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "deploying.md").write_text(_DEPLOY, encoding="utf-8")
    (folder / "login.md").write_text(_LOGIN, encoding="utf-8")
    (folder / "tests.md").write_text(
        "Run the tests with scripts/test.\n\nThe cluster is not needed.\n", encoding="utf-8"
    )
    (folder / "MEMORY.md").write_text("- [How we deploy](deploying.md)\n", encoding="utf-8")
    return folder


def _ask(store: Path, query: str, *, all_terms: bool = False, deep: bool = False, by_section: bool = False) -> Recall:
    cache = store.parent / "cache"
    return search(store, query, all_terms=all_terms, deep=deep, by_section=by_section, cache=cache)


def _names(recall: Recall) -> list[str]:
    return [hit.name for hit in recall.hits]


def test_a_question_in_plain_words_finds_the_topic_and_says_where(store: Path) -> None:
    hit = _ask(store, "how do I call the rollback of a release?").hits[0]
    assert (hit.name, hit.title, hit.section) == ("deploying", "How we deploy", "Rollback")
    assert [(line.number, line.text) for line in hit.lines] == [
        (11, "## Rollback"),
        (13, "- call rollbackRelease() with the last tag"),
    ]


def test_chinese_is_found_by_a_question(store: Path) -> None:
    hit = _ask(store, "密码错误几次会锁定?").hits[0]
    assert (hit.name, hit.section) == ("login", "锁定")


def test_any_word_may_match_unless_all_are_asked_for(store: Path) -> None:
    assert set(_names(_ask(store, "cluster staging"))) == {"deploying", "tests"}
    assert _names(_ask(store, "cluster staging", all_terms=True)) == ["deploying"]


def test_a_quoted_phrase_must_stand_as_it_is(store: Path) -> None:
    assert _names(_ask(store, '"staging cluster"')) == ["deploying"]
    assert _names(_ask(store, '"cluster staging"')) == []
    assert _names(_ask(store, '"两步验证"')) == ["login"]


def test_a_phrase_lifts_the_section_that_has_it(store: Path) -> None:
    (store / "both.md").write_text("# A\n\nblue then green\n\n# B\n\nblue green\n", encoding="utf-8")
    assert _ask(store, '"blue green"').hits[0].section == "B"
    with_phrase = _ask(store, '"blue green"', by_section=True).hits
    without = _ask(store, "blue green", by_section=True).hits
    assert with_phrase[0].score > without[0].score


def test_plus_requires_and_minus_excludes(store: Path) -> None:
    assert _names(_ask(store, "cluster +staging")) == ["deploying"]
    assert _names(_ask(store, "cluster -staging")) == ["tests"]


def test_names_and_front_matter_and_headings_are_found(store: Path) -> None:
    assert _names(_ask(store, "login")) == ["login"]
    assert _names(_ask(store, "infra")) == ["deploying"]
    assert _ask(store, "infra").hits[0].lines[0].text == "tags: [infra]"


def test_a_word_in_the_name_weighs_more_than_one_in_the_text(store: Path) -> None:
    (store / "cluster.md").write_text("Something about machines, and where they stand.\n", encoding="utf-8")
    assert _names(_ask(store, "cluster"))[0] == "cluster"


def test_an_identifier_is_found_however_it_is_written(store: Path) -> None:
    assert _names(_ask(store, "rollback_release")) == ["deploying"]


def test_the_index_of_the_store_is_not_searched(store: Path) -> None:
    (store / "Memory.md").write_text("deploy\n")
    assert {"MEMORY", "Memory"}.isdisjoint(_names(_ask(store, "deploy")))


def test_sections_can_be_hits_of_their_own(store: Path) -> None:
    hits = _ask(store, "deploy rollback", by_section=True).hits
    assert {(hit.name, hit.section) for hit in hits} == {("deploying", "Deploy"), ("deploying", "Rollback")}


def test_a_section_gains_from_what_stands_beside_it(store: Path) -> None:
    (store / "talk.md").write_text("## A\n\nDid you see the zebra?\n\n## B\n\nYes, it was tall.\n\n## C\n\nBye.\n")
    assert [hit.section for hit in _ask(store, "zebra", by_section=True).hits] == ["A", "B"]
    (store / "talk.md").write_text(
        "## A\n\nIt was tall.\n\n## B\n\nWhat?\n\n## C\n\nHe was tall.\n\n## D\n\nA zebra?\n"
    )
    sections = [hit.section for hit in _ask(store, "zebra tall", by_section=True).hits]
    assert sections.index("C") < sections.index("A")


def test_searching_deeper_finds_what_shares_no_word_with_the_query(store: Path) -> None:
    for number in range(3):
        (store / f"pay{number}.md").write_text(f"The invoice {number} goes through the ledger gateway.\n")
    (store / "gate.md").write_text("The ledger gateway restarts at night.\n")
    assert "gate" not in _names(_ask(store, "invoice"))
    assert "gate" in _names(_ask(store, "invoice", deep=True))


def test_in_a_small_store_a_word_of_most_topics_still_ranks(store: Path) -> None:
    for number in range(5):
        (store / f"n{number}.md").write_text("zebra " + "filler words that say little " * 20)
    (store / "best.md").write_text("zebra zebra zebra")
    assert _names(_ask(store, "zebra"))[0] == "best"


@pytest.mark.parametrize("query", ["", "  ", "🎉!?", "-staging"])
def test_a_query_without_a_word_to_find_is_refused(store: Path, query: str) -> None:
    with pytest.raises(UsageError) as refused:
        _ask(store, query)
    assert refused.value.code == "invalid_argument"


def test_a_store_that_is_not_there_has_no_hits(tmp_path: Path) -> None:
    assert search(tmp_path / "none", "deploy", cache=tmp_path / "cache").hits == ()
