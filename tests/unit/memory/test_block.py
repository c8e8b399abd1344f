from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from freehold.memory.block import Budget, block, fits, warning
from freehold.memory.index import line_of
from freehold.memory.topic import Topic


def topics(count: int) -> list[Topic]:
    return [
        Topic(f"t{n}", f"Topic {n}", "d" * 40, updated=f"2026-01-{n % 28 + 1:02}T00:00:{n // 28:02}Z")
        for n in range(count)
    ]


def test_an_index_within_the_budget_enters_as_it_is() -> None:
    text = "# Memory\n\n- [A](a.md)\n"
    assert block(text, Budget(), list) == text


def test_the_newest_are_kept_in_their_order_and_what_is_left_out_is_named() -> None:
    known = [Topic(f"t{year}", f"T{year}", updated=str(year)) for year in (2021, 2026, 2023, 2025, 2022, 2024)]
    text = "# Memory\n\n" + "".join(map(line_of, known))
    kept = block(text, Budget(lines=6), lambda: known)
    assert kept.startswith("# Memory\n\n- [T2026](t2026.md)\n- [T2025](t2025.md)\n- [T2024](t2024.md)\n> 3 lines")
    assert "t2023.md, t2022.md, t2021.md" in kept


def test_a_persons_own_lines_and_the_newest_topics_share_what_there_is() -> None:
    known = topics(150)
    text = "".join(f"line {n}\n" for n in range(150)) + "".join(map(line_of, known))
    kept = block(text, Budget(), lambda: known).splitlines()
    assert kept[0] == "line 51"
    assert sum("](t" in line for line in kept) == 100
    assert len(kept) == 200


def test_of_a_persons_own_lines_the_latest_stay() -> None:
    kept = block("".join(f"line {n}\n" for n in range(300)), Budget(), list).splitlines()
    assert (kept[0], kept[-2], len(kept)) == ("line 101", "line 299", 200)


@given(st.integers(0, 400), st.integers(5, 250), st.integers(500, 30_000))
def test_the_block_never_exceeds_its_budget_and_is_the_same_every_time(count: int, lines: int, size: int) -> None:
    known = topics(count)
    text = "# Memory\n\n" + "".join(map(line_of, known))
    budget = Budget(lines, size)
    kept = block(text, budget, lambda: known)
    assert fits(kept, budget)
    assert kept == block(text, budget, lambda: list(reversed(known)))
    left_out = [topic for topic in known if f"]({topic.name}.md)" not in kept]
    still_in = [topic for topic in known if f"]({topic.name}.md)" in kept]
    if left_out and still_in:
        assert max(topic.updated for topic in left_out) <= min(topic.updated for topic in still_in)


def test_one_line_beyond_all_measure_leaves_the_note_alone() -> None:
    kept = block("x" * 100_000, Budget(), list)
    assert kept.startswith("> 1 lines")


def test_a_warning_comes_near_the_budget_and_says_when_it_is_exceeded() -> None:
    assert warning("line\n" * 100, Budget()) == ""
    assert "160 of 200" in warning("line\n" * 160, Budget())
    assert "left out" in warning("line\n" * 201, Budget())
    assert "20,000 of 25,000" in warning("x" * 20_000, Budget())
