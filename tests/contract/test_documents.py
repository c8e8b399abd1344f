"""What the documents point at exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("protocol/*.md")])


def names(documents: list[Path]) -> list[str]:
    return [str(document.relative_to(ROOT)) for document in documents]


@pytest.mark.parametrize("document", DOCUMENTS, ids=names(DOCUMENTS))
def test_every_link_within_the_repository_leads_somewhere(document: Path) -> None:
    links: list[str] = re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8"))
    broken = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert broken == []


def test_every_place_that_the_threat_model_names_exists() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    places: set[str] = set(re.findall(r"`([\w/]+\.(?:py|js|json|ts))`", text)) - {"msgspec.py", "sitecustomize.py"}
    roots = (ROOT, ROOT / "src/freehold", ROOT / "extension")
    assert places
    assert [place for place in sorted(places) if not any((root / place).is_file() for root in roots)] == []


def test_every_command_that_a_newcomer_is_told_of_can_be_run() -> None:
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    told = {name for text in texts for name in re.findall(r"\bscripts/([a-z]+)\b(?![./])", text)}
    assert {"try", "test", "check"} <= told
    assert [name for name in sorted(told) if not (ROOT / "scripts" / name).stat().st_mode & 0o111] == []
