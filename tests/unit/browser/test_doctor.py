from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from freehold import PROTOCOL, __version__
from freehold.browser import doctor, installed, setup
from freehold.browser.doctor import Check, Installation
from freehold.errors import DeniedError
from tests.unit.browser import machines, shipped

pytestmark = pytest.mark.anyio

HELLO = {"browser": "Chromium 156", "version": __version__, "protocol": PROTOCOL}


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """Everything set up for one Chromium."""
    browsers = installed.installed(machines.linux(tmp_path, "chromium"))
    fine = Installation(tmp_path / "freehold", browsers, shipped.extension(tmp_path / "shipped"))
    setup.install(fine.home, browsers, fine.source)
    return fine


@pytest.fixture
def host(installation: Installation) -> Iterator[Path]:
    """A host's socket on which somebody listens."""
    run = installation.home / "run"
    run.mkdir(mode=0o700)
    path = run / "host-1.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        yield path


def answering(hello: dict[str, Any]) -> doctor.Greet:
    async def greet(socket: Path, key: bytes) -> dict[str, Any]:
        return hello

    return greet


async def wrong(installation: Installation, greet: doctor.Greet | None = None) -> list[Check]:
    checks = await doctor.examine(installation, greet or answering(HELLO))
    assert all(check.fix for check in checks if check.state == "wrong")
    return [check for check in checks if check.state == "wrong"]


async def test_with_a_browser_connected_nothing_is_wrong(installation: Installation, host: Path) -> None:
    assert await wrong(installation) == []


async def test_before_setup_every_hop_says_to_run_it(tmp_path: Path) -> None:
    browsers = installed.installed(machines.linux(tmp_path, "chromium"))
    missing = await wrong(Installation(tmp_path / "freehold", browsers, shipped.extension(tmp_path / "shipped")))
    assert len(missing) == 5
    assert all("freehold setup" in check.fix for check in missing)


async def test_without_a_connected_browser_the_clicks_are_said(installation: Installation) -> None:
    (check,) = await wrong(installation)
    assert str(installation.home / "extension") in check.fix
    assert check.fix.count("freehold browser launch") == 1


async def test_a_python_that_was_removed_is_found(installation: Installation, host: Path) -> None:
    launcher = installation.home / "freehold-host"
    launcher.write_text('#!/bin/sh\nexec /gone/python -I -m freehold.host --home /x "$@"\n')
    (check,) = await wrong(installation)
    assert (check.hop, "/gone/python" in check.detail) == ("launcher", True)


async def test_a_python_without_freehold_is_found(installation: Installation, host: Path, tmp_path: Path) -> None:
    python = machines.program(tmp_path / "python", "#!/bin/sh\necho 'No module named freehold' >&2\nexit 1\n")
    launcher = installation.home / "freehold-host"
    launcher.write_bytes(doctor.manifest.launcher_script(python, installation.home))
    (check,) = await wrong(installation)
    assert "No module named freehold" in check.detail


async def test_a_launcher_that_somebody_changed_is_found(installation: Installation, host: Path) -> None:
    launcher = installation.home / "freehold-host"
    launcher.write_text(launcher.read_text() + "rm -rf /\n")
    assert [check.hop for check in await wrong(installation)] == ["launcher"]


async def test_an_extension_left_behind_by_an_upgrade_is_found(installation: Installation, host: Path) -> None:
    shipped.extension(installation.source, code="newer")
    (check,) = await wrong(installation)
    assert check.hop == "extension's folder"
    assert "reload the extension" in check.fix


async def test_another_version_in_the_browser_asks_for_a_reload(installation: Installation, host: Path) -> None:
    (check,) = await wrong(installation, answering({**HELLO, "version": "0.0.9"}))
    assert "reload" in check.fix


async def test_another_build_of_the_same_version_asks_for_a_reload(installation: Installation, host: Path) -> None:
    (check,) = await wrong(installation, answering({**HELLO, "build": "0.1.0 (000000000000)"}))
    assert "reload" in check.fix
    build = doctor.extension_copy.build(installation.home / "extension")
    assert await wrong(installation, answering({**HELLO, "build": build})) == []


async def test_a_host_that_refuses_is_reported_in_its_own_words(installation: Installation, host: Path) -> None:
    async def refuse(socket: Path, key: bytes) -> dict[str, Any]:
        raise DeniedError("pairing_mismatch", "The keys differ.")

    (check,) = await wrong(installation, refuse)
    assert check.detail == "The keys differ."


async def test_other_products_are_named_and_called_harmless(installation: Installation, host: Path) -> None:
    (chromium,) = installation.browsers
    (chromium.host_folders[0] / "com.example.bridge.json").write_text("{}")
    theirs = chromium.user_data / "Default/Extensions/abcdefghijklmnopabcdefghijklmnop/1.0_0/manifest.json"
    theirs.parent.mkdir(parents=True)
    theirs.write_text(json.dumps({"name": "Other Agent", "permissions": ["debugger"]}))
    checks = await doctor.examine(installation, answering(HELLO))
    notes = " ".join(check.detail for check in checks if check.state == "note")
    assert "com.example.bridge" in notes
    assert "Other Agent" in notes
    assert not [check for check in checks if check.state == "wrong"]


async def test_a_snap_is_a_note_with_its_way_out(installation: Installation, host: Path, tmp_path: Path) -> None:
    browsers = (*installation.browsers, installed.Installed("Brave", None, tmp_path / "snap", (), "snap"))
    checks = await doctor.examine(Installation(installation.home, browsers, installation.source), answering(HELLO))
    assert [check.state for check in checks if "Brave" in check.hop] == ["note"]


async def test_a_pairing_key_that_others_can_read_is_found(installation: Installation, host: Path) -> None:
    (installation.home / "pairing.key").chmod(0o644)
    assert "pairing key" in {check.hop for check in await wrong(installation)}
