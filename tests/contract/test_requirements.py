"""The pinned requirement files say what pyproject.toml asks for, with hashes and without any address."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DIRECT: list[str] = PROJECT["project"]["dependencies"]
GROUPS: dict[str, list[Any]] = PROJECT["dependency-groups"]
FILES = ("run", "dev")


def text_of(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pinned(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9.-]+)==([^ ;\\]+)", text_of(name), re.MULTILINE))


def asked(name: str) -> list[Requirement]:
    groups = GROUPS["build"] + (GROUPS["dev"] if name == "dev" else [])
    return [Requirement(line) for line in [*DIRECT, *groups] if isinstance(line, str)]


@pytest.mark.parametrize("name", FILES)
def test_every_direct_dependency_is_pinned_to_a_version_that_fits(name: str) -> None:
    versions = pinned(name)
    unmet = [str(wish) for wish in asked(name) if not wish.specifier.contains(versions.get(wish.name, "0"))]
    assert unmet == [], "run scripts/lock"


@pytest.mark.parametrize("name", FILES)
def test_every_pin_carries_a_hash(name: str) -> None:
    entries = re.split(r"^(?=[a-z0-9])", text_of(name), flags=re.MULTILINE)[1:]
    assert entries
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("name", FILES)
def test_no_address_stands_in_a_requirement_file(name: str) -> None:
    assert re.findall(r"\w+://\S+|--(?:extra-)?index-url|--find-links", text_of(name)) == []


def test_the_development_file_pins_the_same_versions_as_the_running_one() -> None:
    development = pinned("dev")
    assert {name: development.get(name) for name in pinned("run")} == pinned("run")


def test_no_lock_file_of_node_carries_an_address() -> None:
    locks = [file for file in ROOT.glob("package-lock.json") if '"resolved"' in file.read_text(encoding="utf-8")]
    assert locks == []
