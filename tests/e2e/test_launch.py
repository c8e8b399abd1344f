"""A browser of our own: it connects, it is one at a time, and it never outlives whoever started it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from freehold import paths
from freehold.bridge import pairing
from freehold.browser import doctor, installed, setup
from freehold.browser.launch import launched
from freehold.errors import UnavailableError
from tests.e2e.processes import runs
from tests.unit.browser import machines

pytestmark = pytest.mark.anyio

COMMAND = Path(sys.executable).parent / "freehold"


@pytest.fixture
def own_home(tmp_path: Path) -> Path:
    """Freehold's folder of this test alone."""
    return tmp_path / "freehold"


async def until(true: Callable[[], bool], seconds: float = 20) -> None:
    with anyio.fail_after(seconds):
        while not true():
            await anyio.sleep(0.02)


async def test_a_launched_browser_is_connected_and_ends_with_its_block(own_home: Path) -> None:
    async with launched(home=own_home) as browser:
        hello = await doctor.greet(browser.socket, pairing.read(paths.pairing_key(own_home)))
        assert hello["product"] == "freehold"
        assert browser.product.startswith("Chrome/")
        host = int(browser.socket.stem.removeprefix("host-"))
        assert runs(browser.pid)
    assert not runs(browser.pid)
    await until(lambda: not runs(host))
    assert not browser.socket.exists()


async def test_a_profile_can_be_used_again_after_its_browser_has_ended(own_home: Path) -> None:
    for _ in range(2):
        async with launched(home=own_home) as browser:
            assert browser.socket.exists()


async def test_a_profile_in_use_is_refused_and_its_browser_goes_on(own_home: Path) -> None:
    async with launched(home=own_home) as first:
        with pytest.raises(UnavailableError) as caught:
            async with launched(home=own_home):
                pass
        assert caught.value.code == "browser_failed"
        assert caught.value.data["pid"] == str(first.pid)
        assert first.socket.exists()
        assert runs(first.pid)


async def test_two_browsers_with_profiles_of_their_own_run_side_by_side(own_home: Path, tmp_path: Path) -> None:
    async with launched(home=own_home) as first, launched(home=own_home, profile=tmp_path / "second") as second:
        assert first.socket != second.socket
        assert first.socket.exists()


async def test_a_browser_that_never_connects_is_given_up_and_ended(own_home: Path, tmp_path: Path) -> None:
    said = tmp_path / "pid"
    program = machines.program(tmp_path / "sleeper", f"#!/bin/sh\necho $$ > {said}\nexec sleep 600\n")
    with pytest.raises(UnavailableError) as caught:
        async with launched(home=own_home, executable=str(program), start_seconds=1):
            pass
    assert caught.value.code == "browser_failed"
    assert not runs(int(said.read_text()))


async def test_after_an_upgrade_the_doctor_asks_to_reload_what_still_runs(own_home: Path) -> None:
    source = paths.extension_source()
    setup.install(own_home, (), source)
    copy = paths.extension(own_home)
    async with launched(home=own_home, extension=copy):
        here = doctor.Installation(own_home, (), source)
        assert not [check for check in await doctor.examine(here) if check.state == "wrong"]
        manifest = copy / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"version_name": "', '"version_name": "newer '))
        wrong = {check.hop.split()[0]: check.fix for check in await doctor.examine(here) if check.state == "wrong"}
        assert set(wrong) == {"extension's", "connection"}
        assert "reload" in wrong["connection"]


async def test_a_folder_with_another_extension_is_refused_by_its_id(own_home: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/manifest.json").write_text('{"manifest_version": 3, "name": "Other", "version": "1"}')
    with pytest.raises(UnavailableError) as caught:
        async with launched(home=own_home, extension=tmp_path / "other"):
            pass
    assert caught.value.code == "browser_failed"
    assert "not ours" in caught.value.message


async def test_leaving_by_an_error_ends_the_browser(own_home: Path) -> None:
    pids: list[int] = []

    async def fail() -> None:
        async with launched(home=own_home) as browser:
            pids.append(browser.pid)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert not runs(pids[0])


async def test_being_cancelled_during_the_start_ends_the_browser(own_home: Path, tmp_path: Path) -> None:
    said = tmp_path / "pid"
    program = machines.program(tmp_path / "sleeper", f"#!/bin/sh\necho $$ > {said}\nexec sleep 600\n")

    async def start() -> None:
        async with launched(home=own_home, executable=str(program)):
            pass

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(start)
        await until(lambda: said.exists() and said.read_text().endswith("\n"))
        tasks.cancel_scope.cancel()
    assert not runs(int(said.read_text()))


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
async def test_the_browser_ends_when_the_command_is_ended(own_home: Path, tmp_path: Path, end: signal.Signals) -> None:
    environment = {**os.environ, "FREEHOLD_HOME": str(own_home), "HOME": str(tmp_path)}
    command = [COMMAND, "browser", "launch", "--headless"]
    output = tmp_path / "output"
    with output.open("w") as stream:
        process = await anyio.open_process(command, env=environment, stdin=None, stdout=stream, stderr=stream)
    with anyio.fail_after(60):
        await until(lambda: "Ctrl-C" in output.read_text() or process.returncode is not None, 60)
        (socket,) = paths.run_folder(own_home).glob("host-*.sock")
        browser = os.getsid(int(socket.stem.removeprefix("host-")))
        assert runs(browser)
        process.send_signal(end)
        code = await process.wait()
    await until(lambda: not runs(browser))
    assert code == (-signal.SIGKILL if end is signal.SIGKILL else 0)


async def test_a_window_needs_a_display(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if installed.Machine.this().system == "Darwin":
        pytest.skip("macOS always has one")
    with pytest.raises(UnavailableError) as caught:
        async with launched(home=own_home, headless=False):
            pass
    assert "--headless" in caught.value.message
