from __future__ import annotations

from pathlib import Path

import pytest

from freehold.browser import installed
from freehold.browser.installed import Machine
from freehold.errors import UnavailableError
from tests.unit.browser import machines


def test_each_linux_browser_is_found_with_the_folder_it_reads_hosts_from(tmp_path: Path) -> None:
    machine = machines.linux(
        tmp_path, "google-chrome-stable", "google-chrome-beta", "chromium", "microsoft-edge", "brave-browser", "vivaldi"
    )
    found = {browser.name: browser for browser in installed.installed(machine)}
    assert set(found) == {"Google Chrome", "Google Chrome Beta", "Chromium", "Microsoft Edge", "Brave", "Vivaldi"}
    assert found["Brave"].host_folders == (machine.config / "BraveSoftware/Brave-Browser/NativeMessagingHosts",)
    assert found["Google Chrome"].executable == tmp_path / "usr/bin/google-chrome-stable"


def test_each_mac_browser_is_found_in_applications(tmp_path: Path) -> None:
    machine = machines.mac(tmp_path, "Google Chrome", "Chromium", "Microsoft Edge", "Vivaldi")
    support = machine.home / "Library/Application Support"
    found = {browser.name: browser.host_folders for browser in installed.installed(machine)}
    assert found["Google Chrome"] == (support / "Google/Chrome/NativeMessagingHosts",)
    assert found["Microsoft Edge"] == (support / "Microsoft Edge/NativeMessagingHosts",)
    assert set(found) == {"Google Chrome", "Chromium", "Microsoft Edge", "Vivaldi"}


def test_brave_on_a_mac_is_also_registered_where_chrome_looks(tmp_path: Path) -> None:
    machine = machines.mac(tmp_path, "Brave Browser")
    (brave,) = installed.installed(machine)
    assert machine.home / "Library/Application Support/Google/Chrome/NativeMessagingHosts" in brave.host_folders


def test_a_browser_known_only_by_its_data_is_found_without_a_program(tmp_path: Path) -> None:
    machine = machines.linux(tmp_path)
    (machine.config / "google-chrome").mkdir()
    (browser,) = installed.installed(machine)
    assert (browser.name, browser.executable) == ("Google Chrome", None)


def test_a_snap_is_named_and_not_registered(tmp_path: Path) -> None:
    machine = machines.linux(tmp_path)
    machines.program(tmp_path / "snap/bin/chromium")
    machines.program(tmp_path / "usr/bin/chromium-browser", '#!/bin/sh\nexec /snap/bin/chromium "$@"\n')
    (browser,) = installed.installed(machine)
    assert (browser.confined, browser.host_folders) == ("snap", ())
    assert "freehold browser launch" in browser.advice


def test_a_flatpak_is_named_and_not_registered(tmp_path: Path) -> None:
    machine = machines.linux(tmp_path)
    machines.program(tmp_path / "var/lib/flatpak/exports/bin/com.google.Chrome")
    (browser,) = installed.installed(machine)
    assert (browser.name, browser.confined, browser.host_folders) == ("Google Chrome", "flatpak", ())


def test_chromium_is_started_before_chrome_because_it_carries_nobodys_account(tmp_path: Path) -> None:
    machine = machines.linux(tmp_path, "google-chrome", "chromium")
    assert installed.executable(machine) == tmp_path / "usr/bin/chromium"


def test_the_chosen_program_is_started_by_command_or_path(tmp_path: Path) -> None:
    machine = machines.linux(tmp_path, "chromium", "my-chrome")
    assert installed.executable(machine, "my-chrome") == tmp_path / "usr/bin/my-chrome"
    assert installed.executable(machine, str(tmp_path / "usr/bin/my-chrome")) == tmp_path / "usr/bin/my-chrome"


def test_a_program_that_is_not_there_is_an_error_and_nothing_else_is_started(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError) as caught:
        installed.executable(machines.linux(tmp_path, "chromium"), "no-such-browser")
    assert caught.value.code == "browser_not_found"


def test_without_any_browser_the_error_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError) as caught:
        installed.executable(machines.linux(tmp_path))
    assert caught.value.code == "browser_not_found"
    assert "apt-get install chromium" in caught.value.message


def test_with_only_a_snap_the_error_says_why_it_is_not_started(tmp_path: Path) -> None:
    machine = machines.linux(tmp_path)
    machines.program(tmp_path / "snap/bin/chromium")
    with pytest.raises(UnavailableError) as caught:
        installed.executable(machine)
    assert "Snap" in caught.value.message


def test_the_environment_says_where_a_browser_keeps_its_settings() -> None:
    assert Machine.this({"HOME": "/a"}).config == Path("/a/.config")
    assert Machine.this({"HOME": "/a", "XDG_CONFIG_HOME": "/b"}).config == Path("/b")
    assert Machine.this({"HOME": "/a", "XDG_CONFIG_HOME": "/b", "CHROME_CONFIG_HOME": "/c"}).config == Path("/c")


def test_the_working_folder_is_never_searched_for_a_browser() -> None:
    assert Machine.this({"HOME": "/a", "PATH": ".:bin::/usr/bin"}).search == "/usr/bin"
