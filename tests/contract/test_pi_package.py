"""What stands in Pi's package, and what its worker may import before it answers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from freehold import __version__
from freehold.surfaces.pi.start import Start

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "pi" / "src").glob("*.ts"))
HOST = "@earendil-works/pi-coding-agent"


def told(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))


PACKAGES = [ROOT / "package.json", ROOT / "pi" / "package.json"]


@pytest.mark.parametrize("file", PACKAGES, ids=["root", "pi"])
def test_both_manifests_name_the_extension_for_pi(file: Path) -> None:
    package = told(file)
    assert "pi-package" in package["keywords"]
    (entry,) = package["pi"]["extensions"]
    assert (file.parent / entry).samefile(ROOT / "pi" / "src" / "index.ts")
    assert package["engines"]["node"] == ">=22.19"


@pytest.mark.parametrize("file", PACKAGES, ids=["root", "pi"])
def test_pis_own_packages_are_never_brought_along(file: Path) -> None:
    package = told(file)
    assert package["peerDependencies"] == {HOST: "*"}
    assert "dependencies" not in package


def test_pi_itself_is_pinned_for_the_tests() -> None:
    assert told(ROOT / "package.json")["devDependencies"][HOST] == "1.6.0"


def test_the_package_has_the_version_of_freehold() -> None:
    assert told(ROOT / "pi" / "package.json")["version"] == __version__


def test_the_flags_are_those_that_the_worker_reads() -> None:
    flags = told(ROOT / "pi" / "package.json")["freehold"]["flags"]
    source = (ROOT / "pi" / "src" / "session.ts").read_text()
    read = set(re.findall(r'flag\("(\w+)"\)', source))
    assert {name.removeprefix("freehold-") for name in flags} == read
    start = Start(cwd="/x", agent_folder="/x", flags={"session": "named"})
    assert start.browser_session == "named"


def test_the_typescript_is_thin_and_holds_no_schema_and_no_prompt() -> None:
    texts = [source.read_text(encoding="utf-8") for source in SOURCES]
    assert sum(len(text.splitlines()) for text in texts) < 600
    assert max(len(line) for text in texts for line in text.splitlines()) <= 140
    assert not re.search(r'"?properties"?:|typebox|promptSnippet|pmem_|nmem_', "\n".join(texts))


def test_the_worker_is_ready_before_anything_heavy_is_imported() -> None:
    code = "import sys, freehold.surfaces.pi.worker; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(done.stdout.split())
    assert "freehold.surfaces.pi.declaring" in loaded
    heavy = {"typer", "rich", "mcp", "pydantic", "cryptography", "sqlite3", "yaml", "openai", "sqlalchemy", "anyio"}
    assert loaded & (heavy | {"freehold.tools.catalog", "freehold.memory.store", "freehold.app.runtime"}) <= {"anyio"}


def test_the_wheel_ships_the_package(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, timeout=120, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"freehold/pi/src/{source.name}" for source in SOURCES} | {"freehold/pi/package.json"}
    assert wanted <= names
    assert not any("node_modules" in name for name in names)
