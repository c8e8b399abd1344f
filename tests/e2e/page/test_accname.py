"""Names and descriptions against the W3C's own checks, read from the folder that FREEHOLD_DATA names."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.e2e.page.conftest import Page

MANUAL = """() => {
  const element = document.getElementById("test");
  const name = freeholdPage.name.compute(element);
  return {name: name.name, description: freeholdPage.name.description(element, name)};
}"""
NAMED = """() => [...document.querySelectorAll(".ex")].map((element) => ({
  title: element.dataset.testname,
  want: element.dataset.expectedlabel,
  got: freeholdPage.name.compute(element).name,
}))"""
SHARE = 0.99


@dataclass(frozen=True)
class Check:
    title: str
    want: str
    got: str

    @property
    def right(self) -> bool:
        return " ".join(self.want.split()) == " ".join(self.got.split())


def _steps(source: str) -> list[tuple[str, str]]:
    """What the manual test's ATK steps expect of the element `test`: (`name` or `description`, text)."""
    pattern = r'"ATK"\s*:\s*\[\s*\[\s*"property",\s*"(name|description)",\s*"is",\s*("(?:[^"\\]|\\.)*")'
    return [(kind, json.loads(text)) for kind, text in re.findall(pattern, source)]


def _manual(page: Page, path: Path) -> list[Check]:
    source = path.read_text(encoding="utf-8")
    page.show(source)
    got = page.isolated(MANUAL)
    return [Check(f"{path.stem} {kind}", want, got[kind]) for kind, want in _steps(source)]


def _named(page: Page, path: Path) -> list[Check]:
    page.show(path.read_text(encoding="utf-8"))
    return [Check(f"{path.stem}: {row['title']}", row["want"], row["got"]) for row in page.isolated(NAMED)]


def test_names_agree_with_the_w3c_checks(page: Page) -> None:
    data = os.environ.get("FREEHOLD_DATA")
    if not data:
        pytest.skip("FREEHOLD_DATA is not set: it names the folder that holds wpt-accname/")
    folder = Path(data) / "wpt-accname"
    checks = [check for path in sorted((folder / "manual").glob("*.html")) for check in _manual(page, path)]
    checks += [check for path in sorted((folder / "name").glob("*.html")) for check in _named(page, path)]
    wrong = [check for check in checks if not check.right]
    for check in wrong:
        print(f"{check.title}\n  want {check.want!r}\n  got  {check.got!r}")
    print(f"{len(checks) - len(wrong)} of {len(checks)} right")
    assert len(checks) > 200
    assert len(wrong) <= len(checks) * (1 - SHARE)
