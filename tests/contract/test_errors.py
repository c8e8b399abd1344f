"""`protocol/errors.json` and the table of `freehold.errors` are one list."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from freehold.errors import FAMILIES, DeniedError, FreeholdError, InternalError, UnavailableError, UsageError, from_wire

ROOT = Path(__file__).parents[2]
ENTRIES: list[dict[str, str]] = json.loads((ROOT / "protocol" / "errors.json").read_text(encoding="utf-8"))
NAMES: dict[type[FreeholdError], str] = {
    UsageError: "usage",
    UnavailableError: "unavailable",
    DeniedError: "denied",
    InternalError: "internal",
}


def test_every_code_of_the_protocol_has_its_family_in_python() -> None:
    assert {entry["code"]: entry["family"] for entry in ENTRIES} == {
        code: NAMES[family] for code, family in FAMILIES.items()
    }


def test_every_code_is_one_that_some_part_uses_and_every_error_has_one() -> None:
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "extension").rglob("*.js")]
    texts = [file.read_text(encoding="utf-8") for file in sources if file != ROOT / "src/freehold/errors.py"]
    words = {word for text in texts for word in re.findall(r'"([a-z_]+)"', text)}
    made = re.compile(r'(?:Usage|Unavailable|Denied|Internal|Bridge)Error\(\s*"(\w+)"')
    raised = {code for text in texts for code in made.findall(text)}
    assert set(FAMILIES) - words == set()
    assert len(raised) > 30
    assert raised - set(FAMILIES) == set()


def test_no_code_is_listed_twice() -> None:
    codes = [entry["code"] for entry in ENTRIES]
    assert sorted(codes) == sorted(set(codes))


def test_an_error_comes_back_from_the_wire_as_it_went() -> None:
    sent = UsageError("unknown_ref", "There is no ref_9.", {"ref": 9})
    received = from_wire(sent.to_wire())
    assert isinstance(received, UsageError)
    assert received.to_wire() == sent.to_wire()


def test_a_code_of_a_newer_peer_is_kept() -> None:
    odd: dict[str, Any] = {"code": "not_yet_known", "message": "Newer.", "data": "not an object"}
    received = from_wire(odd)
    assert isinstance(received, InternalError)
    assert received.to_wire() == {"code": "not_yet_known", "message": "Newer.", "data": {}}
