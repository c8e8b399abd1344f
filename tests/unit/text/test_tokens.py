from __future__ import annotations

import pytest

from freehold.text.tokens import estimate


# Counts of cl100k_base, the line feed not counted.
@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("[ref_12] button(disabled) Save", 10),
        ("hello world", 2),
        ("[ref_12] button(collapsed)\n[ref_13] link(expanded=false)", 19),
    ],
)
def test_the_estimate_is_near_a_tokenizers_count(text: str, counted: int) -> None:
    assert estimate(text) - 1 == pytest.approx(counted, rel=0.25, abs=1)


def test_a_character_of_chinese_costs_more_than_a_letter() -> None:
    assert estimate("登录按钮登录按钮") > 2 * estimate("abcdefgh")
