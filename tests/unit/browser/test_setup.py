from __future__ import annotations

import json
from pathlib import Path

import pytest

from freehold.browser import installed, setup
from freehold.browser.setup import Change
from tests.unit.browser import machines, shipped

NAME = "io.freehold.host.json"


class Place:
    """A user with Chromium and Chrome, and Freehold's folder."""

    def __init__(self, base: Path) -> None:
        self.machine = machines.linux(base, "chromium", "google-chrome")
        self.home = base / "home/.local/share/freehold"
        self.source = shipped.extension(base / "shipped")
        self.manifest = self.machine.config / "chromium/NativeMessagingHosts" / NAME

    def install(self, *more: Path) -> list[Change]:
        return setup.install(self.home, self._browsers(*more), self.source)

    def remove(self, *more: Path) -> list[Change]:
        return setup.remove(self.home, self._browsers(*more), self.source)

    def _browsers(self, *more: Path) -> list[installed.Installed]:
        return [*installed.installed(self.machine), *map(installed.at, more)]

    def files(self) -> dict[str, bytes]:
        found = [path for path in self.machine.home.rglob("*") if path.is_file()]
        return {f"{path} {path.stat().st_mode:o} {path.stat().st_mtime_ns}": path.read_bytes() for path in found}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def states(changes: list[Change]) -> set[str]:
    return {change.state for change in changes}


def test_setup_registers_every_browser_and_keeps_its_files_to_the_user(place: Place) -> None:
    assert states(place.install()) == {"made"}
    assert json.loads(place.manifest.read_text())["path"] == str(place.home / "freehold-host")
    assert (place.home / "pairing.key").stat().st_mode & 0o777 == 0o600
    assert (place.home / "freehold-host").stat().st_mode & 0o777 == 0o700
    assert place.home.stat().st_mode & 0o777 == 0o700


def test_running_setup_twice_changes_nothing(place: Place) -> None:
    place.install()
    before = place.files()
    assert states(place.install()) == {"kept"}
    assert place.files() == before


def test_remove_undoes_setup_to_the_last_file_and_folder(place: Place, tmp_path: Path) -> None:
    other = tmp_path / "other-profile"
    before = sorted(tmp_path.rglob("*"))
    place.install(other)
    assert (other / "NativeMessagingHosts" / NAME).exists()
    assert states(place.remove()) == {"removed"}
    assert sorted(tmp_path.rglob("*")) == before


def test_remove_leaves_what_it_did_not_write(place: Place) -> None:
    place.install()
    neighbour = place.manifest.with_name("com.example.host.json")
    neighbour.write_text("{}")
    (place.home / "config.toml").write_text('browser = "chrome"\n')
    place.remove()
    assert neighbour.exists()
    assert [path.name for path in place.home.iterdir()] == ["config.toml"]


def test_removing_twice_finds_nothing_more(place: Place) -> None:
    place.install()
    place.remove()
    assert place.remove() == []


def test_another_products_manifest_under_our_name_is_named_and_neither_replaced_nor_removed(place: Place) -> None:
    place.manifest.parent.mkdir(parents=True)
    place.manifest.write_text(
        '{"name": "io.freehold.host", "path": "/x", "allowed_origins": ["chrome-extension://y/"]}'
    )
    before = place.manifest.read_text()
    blocked = [change for change in place.install() if change.state == "blocked"]
    assert [change.path for change in blocked] == [str(place.manifest)]
    left = [change for change in place.remove() if change.state == "left"]
    assert [change.path for change in left] == [str(place.manifest)]
    assert place.manifest.read_text() == before


def test_the_manifest_of_an_earlier_freehold_folder_is_taken_over(place: Place) -> None:
    place.install()
    place.home = place.home.with_name("freehold-2")
    changes = {change.path: change for change in place.install()}
    assert changes[str(place.manifest)].state == "updated"
    assert "freehold/freehold-host" in changes[str(place.manifest)].note


def test_a_confined_browser_is_named_with_what_to_do(place: Place, tmp_path: Path) -> None:
    machines.program(tmp_path / "snap/bin/brave")
    (change,) = [change for change in place.install() if change.state == "blocked"]
    assert (change.what, bool(change.note)) == ("Brave", True)


def test_the_pairing_key_of_an_earlier_setup_stays(place: Place) -> None:
    place.install()
    key = (place.home / "pairing.key").read_bytes()
    (place.home / "freehold-host").unlink()
    place.install()
    assert (place.home / "pairing.key").read_bytes() == key
