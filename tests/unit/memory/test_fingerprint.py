from __future__ import annotations

import pytest

from freehold.memory.fingerprint import fingerprint

FACT = "The nightly build needs PostgreSQL 16 and CI_REGION"


@pytest.mark.parametrize(
    "body", [f"{FACT}.", f"- {FACT}", f"  {FACT.upper()}\n", FACT.replace(" ", "\n"), f"## Build\n\n{FACT}"]
)
def test_layout_case_and_list_marks_do_not_count(body: str) -> None:
    assert fingerprint("t", body).body == fingerprint("t", FACT).body != ""


@pytest.mark.parametrize("body", [FACT.replace("16", "15"), f"{FACT} not", FACT.replace("16", "16%"), f"No. {FACT}"])
def test_every_word_and_sign_counts(body: str) -> None:
    assert fingerprint("t", body).body != fingerprint("t", FACT).body


def test_a_short_text_means_something_only_under_its_title() -> None:
    assert fingerprint("API", "8080").body == ""
    assert fingerprint("API", "8080").whole != fingerprint("page", "8080").whole


def test_the_points_of_a_list_are_known_one_by_one() -> None:
    several = fingerprint("t", f"# Build\n\n- {FACT}\n- Another point of the list\n\nAnd a paragraph\nof two lines.")
    assert fingerprint("x", FACT).parts < several.parts
    assert len(several.parts) == 3
