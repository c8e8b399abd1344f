from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from freehold.memory import front_matter

# The parser in C and that in Python differ over tabs.
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_PIECE = st.sampled_from(
    [*"abz019 _-.:#,[]{}&*!|>'\"%@`?~()/\\\t\r\n", ": ", " #", "\u767b", "\u00e9", "\x85", "\u2028", "\ufeff", "e"]
)
_VALUE = st.lists(_PIECE, max_size=8).map("".join)
_LINE = st.tuples(st.sampled_from(["title", "type", "a-b", "x1", "true", "-k", ""]), _VALUE).map(": ".join)


@given(st.lists(_LINE, max_size=4))
def test_a_block_is_read_as_yaml_reads_it(lines: list[str]) -> None:
    inside = "".join(f"{line}\n" for line in lines)
    front, _ = front_matter.split(f"---\n{inside}---\n")
    if front != f"---\n{inside}---\n":
        return
    try:
        expected = yaml.load(inside, Loader=_LOADER)
    except yaml.YAMLError:
        with pytest.raises(ValueError, match="front matter"):
            front_matter.load(front)
        return
    if isinstance(expected, dict):
        assert front_matter.load(front) == expected


@pytest.mark.parametrize(
    "line",
    [
        "title: Ports: the list",
        "title: C#",
        "title: a #b",
        "title: https://example.org/#x",
        "when: 2026-05-04T10:00:00Z",
        "title: ends: ",
    ],
)
def test_colons_and_number_signs_mean_what_they_mean_to_yaml(line: str) -> None:
    inside = f"{line}\n"
    try:
        expected = yaml.load(inside, Loader=_LOADER)
    except yaml.YAMLError:
        expected = None
    if expected is None:
        with pytest.raises(ValueError, match="front matter"):
            front_matter.load(f"---\n{inside}---\n")
    else:
        assert front_matter.load(f"---\n{inside}---\n") == expected
