"""What does not fit an outline is folded, and every line of it can be read by the call that stands in its place."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from freehold.browser.outline import Outline, render
from freehold.browser.snapshot import Snapshot, from_frames
from tests.unit.browser.pages import Row, frame

HEADER = 2
FOLD = re.compile(r"^ *… ([\d,]+) more like these: read_page (.*)$")
ARGUMENT = re.compile(r"(\w+)=(\S+)")


def table(rows: int) -> list[Row]:
    nodes: list[Row] = [(0, "heading", "Stock", 1), (0, "table", "Goods", 2)]
    for number in range(rows):
        nodes += [
            (1, "row", "", 0),
            (2, "cell", f"thing {number}"),
            (2, "cell", ""),
            (3, "button", f"Buy {number}", number + 10),
        ]
    return [*nodes, (0, "contentinfo", "", 9), (1, "link", "Legal", 8)]


def body(outline: Outline) -> list[str]:
    return outline.text.split("\n")[HEADER:]


def unfolded(snapshot: Snapshot, line: str) -> list[str]:
    """Return the lines that the call in a fold's line answers with."""
    found = FOLD.match(line)
    assert found
    arguments = dict(ARGUMENT.findall(found[2]))
    ref = int(arguments["ref"].removeprefix("ref_")) if "ref" in arguments else None
    return body(render(snapshot, "all", ref=ref, max_tokens=10**9, start=int(arguments["start"])))


def test_a_long_table_is_folded_and_what_comes_after_it_is_shown() -> None:
    snapshot = from_frames([frame(*table(2_000))])
    outline = render(snapshot, "all", max_tokens=2_000)
    lines = body(outline)
    assert lines[0] == "heading Stock"
    assert lines[-2:] == ["[ref_9] contentinfo", " [ref_8] link Legal"]
    assert outline.tokens <= 2_000
    fold = next(line for line in lines if FOLD.match(line))
    shown = sum(line.startswith(" | thing") for line in lines)
    assert unfolded(snapshot, fold)[0] == f" | thing {shown} | [ref_{shown + 10}] button Buy {shown}"
    assert outline.left_out == 2_000 - shown


def test_nothing_is_folded_that_fits() -> None:
    assert not any(map(FOLD.match, body(render(from_frames([frame(*table(60))]), "all"))))


def test_paragraphs_are_never_folded() -> None:
    nodes: list[Row] = [
        (0, "paragraph", "") if at % 2 else (1, "text", f"{at} " + "word " * 80) for at in range(1, 200)
    ]
    lines = body(render(from_frames([frame(*nodes)]), "all", max_tokens=2_000))
    assert not any(map(FOLD.match, lines))
    assert "more lines" in lines[-1]


def test_a_cut_reading_goes_on_where_it_ended() -> None:
    snapshot = from_frames([frame(*(row for row in table(300) if row[1] != "row"))])
    whole = body(render(snapshot, "interactive", max_tokens=10**9))
    read: list[str] = []
    start = 1
    for _ in range(50):
        *lines, note = body(render(snapshot, "interactive", max_tokens=1_000, start=start))
        if "left out" not in note:
            read += [*lines, note]
            break
        read += lines
        start = int(re.findall(r"start=(\d+)", note)[0])
    assert read == whole


def test_a_start_past_the_last_line_says_how_many_there_are() -> None:
    lines = body(render(from_frames([frame(*table(3))]), "all", start=99))
    assert len(lines) == 1
    assert "7 lines" in lines[0]


@st.composite
def pages(draw: st.DrawFn) -> list[Row]:
    """Trees of lists, tables, links and text with long runs of alike elements."""
    nodes: list[Row] = [(0, "main", "", 1)]
    for block in range(draw(st.integers(1, 5))):
        role, inner = draw(
            st.sampled_from([("list", "listitem"), ("table", "row"), ("group", "link"), ("article", "heading")])
        )
        nodes.append((1, role, "", draw(st.sampled_from([0, 100 + block]))))
        for number in range(draw(st.integers(0, 60))):
            ref = 1_000 * (block + 1) + number
            nodes.append((2, inner, f"{inner} {ref}" if inner != "row" else "", ref if inner == "link" else 0))
            if inner == "row":
                nodes += [(3, "cell", f"{ref}"), (3, "cell", "")]
            nodes += [(4, "button", f"b{ref}", ref + 500)] * (inner == "row" or draw(st.booleans()))
    return nodes


@settings(max_examples=60, deadline=None)
@given(pages(), st.integers(300, 3_000))
def test_shown_and_folded_lines_are_together_all_lines(nodes: list[Row], max_tokens: int) -> None:
    snapshot = from_frames([frame(*nodes)])
    every = {line.strip().lstrip("-") for line in body(render(snapshot, "all", max_tokens=10**9))}
    outline = render(snapshot, "all", max_tokens=max_tokens)
    lines = body(outline)
    assert outline.tokens <= max_tokens
    got = [line for line in lines if not FOLD.match(line) and not line.startswith("… ")]
    for fold in filter(FOLD.match, lines):
        got += unfolded(snapshot, fold)
    if "left out" in lines[-1]:
        start = int(re.findall(r"start=(\d+)", lines[-1])[0])
        got += body(render(snapshot, "all", max_tokens=10**9, start=start))
    assert every - {line.strip().lstrip("-") for line in got} == set()
