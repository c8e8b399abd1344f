"""The roles beside Chrome's own: every element of HTML-AAM 1.0 and every role of WAI-ARIA 1.2, differences explained.

FREEHOLD_WRITE_DOCS=1 scripts/test tests/e2e/page/test_roles.py      makes docs/roles.md anew
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.e2e.page.role_differences import CHROMES_OWN, EXPLAINED
from tests.e2e.page.role_samples import ELEMENTS, ROLES, SAMPLES

if TYPE_CHECKING:
    from tests.e2e.page.conftest import Page

PAGE = Path(__file__).parents[3] / "docs" / "roles.md"
HEAD = """# Roles, beside Chrome's

Made by `tests/e2e/page/test_roles.py`, which fails when a role differs from Chrome's without a word here: one sample of
every element of HTML-AAM 1.0 and of every role of WAI-ARIA 1.2 ([the samples](../tests/e2e/page/role_samples.py)), read
by `extension/page/role.js` and by {version}'s accessibility tree. Chrome has names of its own for what no ARIA role
fits; they are told by the role that HTML-AAM gives, and `generic` also stands for what neither tree has.
"""
OURS = """() => Array.from({length: %d}, (_, at) => {
  const element = document.getElementById(`t${at}`);
  return (element && freeholdPage.role.role(element)) || "generic";
})"""


def ours_and_chromes(page: Page) -> dict[str, tuple[str, str]]:
    """Return both roles of each sample."""
    samples = (f"<div>{_numbered(html, at)}</div>" for at, html in enumerate(SAMPLES.values()))
    page.show("<!doctype html><title>roles</title><body>" + "\n".join(samples))
    ours = page.isolated(OURS % len(SAMPLES))
    return {name: (role, _chromes(page, at, role)) for at, (name, role) in enumerate(zip(SAMPLES, ours, strict=True))}


def _numbered(html: str, at: int) -> str:
    """Give what a sample names by an id or a name one that no other sample has."""
    return re.sub(r"(\bid=|list=|usemap=#|<map name=|<map id=t name=)([tlm])\b", rf"\g<1>\g<2>{at}", html)


def _chromes(page: Page, at: int, ours: str) -> str:
    where = f"document.getElementById('t{at}')"
    found: dict[str, Any] = page.tab.send("Runtime.evaluate", {"expression": where})["result"]
    if "objectId" not in found:
        return "generic"
    told = page.tab.send("Accessibility.getPartialAXTree", {"objectId": found["objectId"], "fetchRelatives": False})
    node = told["nodes"][0]
    if node["ignored"]:
        return "none" if ours == "none" else "generic"
    role: str = node["role"]["value"]
    return CHROMES_OWN.get(role, role)


def _document(roles: dict[str, tuple[str, str]], version: str) -> str:
    parts = [HEAD.format(version=version)]
    for title, samples in (("Elements", ELEMENTS), ("Roles", ROLES)):
        parts += [f"## {title}", "", "| sample | Freehold | Chrome | where they differ |", "|---|---|---|---|"]
        for name in samples:
            ours, chromes = roles[name]
            parts.append(f"| {name} | {ours} | {'' if ours == chromes else chromes} | {EXPLAINED.get(name, '')} |")
        parts.append("")
    same = sum(ours == chromes for ours, chromes in roles.values())
    parts.append(f"{same} of {len(roles)} are the same.")
    return "\n".join(parts) + "\n"


def test_every_role_is_chromes_or_the_difference_is_explained(page: Page) -> None:
    roles = ours_and_chromes(page)
    different = {name: both for name, both in roles.items() if both[0] != both[1]}
    if os.environ.get("FREEHOLD_WRITE_DOCS"):
        version = page.tab.send("Browser.getVersion")["product"].removeprefix("Headless").replace("/", " ")
        PAGE.write_text(_document(roles, version.partition(".")[0]), encoding="utf-8")
    assert {name: both for name, both in different.items() if name not in EXPLAINED} == {}


def test_the_page_of_the_docs_has_a_row_for_every_sample(page: Page) -> None:
    written = PAGE.read_text(encoding="utf-8")
    ours = {name: both[0] for name, both in ours_and_chromes(page).items()}
    assert [name for name, role in ours.items() if f"| {name} | {role} |" not in written] == []


def test_no_explanation_is_left_of_a_difference_that_is_gone() -> None:
    assert set(EXPLAINED) <= set(SAMPLES)
    if PAGE.is_file():
        rows = PAGE.read_text(encoding="utf-8").splitlines()
        told = {
            row.split(" | ")[0].removeprefix("| ") for row in rows if row.startswith("| ") and not row.endswith(" |  |")
        }
        assert set(EXPLAINED) <= told
