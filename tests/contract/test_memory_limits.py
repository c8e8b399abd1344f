"""A full disk and a store that may not be written to: a clear error, and nothing half-written."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from freehold.memory.store import Store

# Runs in a process of its own, as a limit once set stays and a user once left is not come back to.
PROGRAM = """
import json, logging, os, resource, sys
from pathlib import Path
import filelock
from freehold.errors import FreeholdError
from freehold.memory.store import Store

# From within the folder above, because on some machines the way to it is closed to others from the root on.
folder = Path(sys.argv[1])
os.chdir(folder.parent)
store, limit, body = Store.open(Path(folder.name)), int(sys.argv[2]), sys.argv[3] * int(sys.argv[4])
store.reindex(dry_run=True)
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
elif os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
codes = {}
for name, call in {
    "save": lambda: store.save("New", body),
    "change": lambda: store.save("Kept", body, name="kept", expected_revision=store.revision("kept")),
    "forget": lambda: store.forget("kept"),
    "restore": lambda: store.restore("gone"),
    "reindex": lambda: store.reindex(),
}.items():
    if name in sys.argv[5:]:
        try:
            call()
            codes[name] = ""
        except FreeholdError as error:
            codes[name] = error.code
print(json.dumps({"codes": codes, "read": [topic.name for topic in store.topics()], "block": store.block()}))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    # Not pytest's own: that one no other user may enter.
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    store = Store.open(top / "store")
    store.save("Kept", "What stands here must stay.\n")
    store.save("Gone", "In the trash.\n")
    store.forget("gone")
    yield top / "store"
    for path in (top / "store", *(top / "store").rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(top)


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.name not in {".lock", ".state.json"}
    }


def attempt(folder: Path, *calls: str, limit: int, body: int = 1) -> dict[str, Any]:
    command = [sys.executable, "-c", PROGRAM, str(folder), str(limit), "some text ", str(body), *calls]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_topic_that_does_not_fit_on_the_disk_leaves_the_store_as_it_was(folder: Path) -> None:
    before = content(folder)
    told = attempt(folder, "save", "change", limit=2_000, body=1_000)
    assert told["codes"] == {"save": "disk_full", "change": "disk_full"}
    assert content(folder) == before


def test_an_index_that_does_not_fit_stops_the_topic_too(folder: Path) -> None:
    (folder / "MEMORY.md").write_text("- a line of mine\n" * 200)
    before = content(folder)
    told = attempt(folder, "save", "reindex", limit=2_000)
    assert told["codes"] == {"save": "disk_full", "reindex": "disk_full"}
    assert content(folder) == before


def test_a_state_that_does_not_fit_stops_nothing(folder: Path) -> None:
    told = attempt(folder, "save", limit=300)
    assert told["codes"] == {"save": ""}
    assert told["read"] == ["kept", "new"]
    assert [file for file in folder.iterdir() if file.name.startswith(".tmp-")] == []
    assert Store.open(folder).save("Again", "some text\n", name="again").created
    assert Store.open(folder).reindex() == []


def test_a_store_that_may_not_be_written_to_is_read_and_every_write_refused(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = content(folder)
    told = attempt(folder, "save", "change", "forget", "restore", "reindex", limit=0)
    assert set(told["codes"].values()) == {"store_read_only"}
    assert told["read"] == ["kept"]
    assert "(kept.md)" in told["block"]
    assert content(folder) == before
