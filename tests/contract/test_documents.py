"""What the documents point at exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from freehold.app.pi.settings import PiSettings
from freehold.surfaces.pi.memory_events import PMEM_WORDS

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


def test_every_setting_for_pi_is_told_with_its_default() -> None:
    text = (ROOT / "docs" / "pi.md").read_text(encoding="utf-8")
    told: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \| `?([^|]*?)`? \| ", text, re.MULTILINE))
    settings = json.loads(msgspec.json.encode(PiSettings()))
    assert told.keys() >= settings.keys()
    wrong = {name for name, value in settings.items() if name != "deferred" and told[name] != json.dumps(value)}
    assert wrong == set()


def test_every_word_of_pmem_is_told() -> None:
    text = (ROOT / "docs" / "pi.md").read_text(encoding="utf-8")
    assert [word for word in PMEM_WORDS if not re.search(rf"`(?:/pmem )?{word}\b", text)] == []
