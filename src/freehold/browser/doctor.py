"""What `freehold doctor` looks at: every hop between an agent and the browser, each with what to do about it."""

from __future__ import annotations

import subprocess
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from freehold import PROTOCOL, __version__, paths
from freehold.bridge import endpoint, pairing
from freehold.bridge.channel import Channel
from freehold.browser import extension_copy, manifest, neighbours, setup
from freehold.browser.installed import Installed
from freehold.browser.manifest import Owner
from freehold.errors import FreeholdError

SETUP = "Run: freehold setup"
RELOAD = "Press the reload button of Freehold on the browser's page chrome://extensions"

Greet = Callable[[Path, bytes], Awaitable[dict[str, Any]]]

_IMPORT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Check:
    """One hop: `state` is "ok", "wrong" or "note" (worth knowing, and nothing to repair); `fix` is the next step."""

    hop: str
    state: Literal["ok", "wrong", "note"]
    detail: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Installation:
    """What is looked at: Freehold's folder, the user's browsers and the extension as shipped."""

    home: Path
    browsers: tuple[Installed, ...]
    source: Path


async def greet(socket: Path, key: bytes) -> dict[str, Any]:
    """Return the hello of the extension behind `socket`; raises what `Channel.open` does."""
    channel = await Channel.open(socket, key)
    await channel.aclose()
    return channel.extension


async def examine(installation: Installation, greet: Greet = greet) -> list[Check]:
    """Check every hop, from the pairing key to the running extension, and change nothing."""
    home = installation.home
    return [
        _pairing_key(home),
        _launcher(home),
        _extension(installation),
        *_manifests(installation),
        *_confined(installation.browsers),
        *_neighbours(installation.browsers),
        *await _connections(installation, greet),
    ]


def _pairing_key(home: Path) -> Check:
    file = paths.pairing_key(home)
    try:
        pairing.read(file)
    except FreeholdError as error:
        return Check("pairing key", "wrong", error.message, SETUP)
    return Check("pairing key", "ok", str(file))


def _launcher(home: Path) -> Check:
    file = paths.launcher(home)
    python = manifest.launcher_python(file)
    if python is None:
        what = "is not a launcher of ours" if file.exists() else "is missing"
        return Check("launcher", "wrong", f"{file} {what}.", SETUP)
    if not python.is_file():
        return Check("launcher", "wrong", f"It starts {python}, which does not exist any more.", SETUP)
    if file.read_bytes() != manifest.launcher_script(python, home) or file.stat().st_mode & 0o777 != 0o700:
        return Check("launcher", "wrong", f"{file} is not as setup writes it.", SETUP)
    return _starts(python)


def _starts(python: Path) -> Check:
    """See that the host can be imported where the browser will start it, and is of the version that we are."""
    code = "import freehold.host.main, freehold; print(freehold.__version__)"
    command = [str(python), "-I", "-c", code]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_IMPORT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("launcher", "wrong", f"{python} does not start: {error}", SETUP)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        return Check("launcher", "wrong", f"{python} cannot import Freehold's host: {reason}", SETUP)
    if (version := done.stdout.strip()) != __version__:
        return Check("launcher", "wrong", f"It starts Freehold {version}; this is {__version__}.", SETUP)
    return Check("launcher", "ok", f"{python} starts the host")


def _extension(installation: Installation) -> Check:
    folder = paths.extension(installation.home)
    if not extension_copy.ours(installation.source, folder):
        return Check("extension's folder", "wrong", f"{folder} does not hold the extension.", SETUP)
    if not extension_copy.current(installation.source, folder):
        fix = f"{SETUP} — then reload the extension"
        return Check("extension's folder", "wrong", f"{folder} is not the extension of Freehold {__version__}.", fix)
    return Check("extension's folder", "ok", str(folder))


def _manifests(installation: Installation) -> list[Check]:
    launcher = paths.launcher(installation.home)
    places = setup.manifests(installation.home, installation.browsers)
    if not places:
        fix = "Install one, name its data folder (freehold setup --user-data-dir DIR), or run: freehold browser launch"
        return [Check("browsers", "note", "No browser was found that could start the host.", fix)]
    return [_manifest(name, file, launcher) for name, file in places]


def _manifest(name: str, file: Path, launcher: Path) -> Check:
    hop = f"manifest of {name}"
    owner = manifest.owner(file, launcher)
    if owner is Owner.MISSING:
        return Check(hop, "wrong", f"{file} is missing.", SETUP)
    if owner is Owner.FOREIGN:
        return Check(hop, "wrong", f"{file} is not Freehold's.", f"Look at it, move it away. {SETUP}")
    if owner is Owner.OTHER_HOME:
        found = manifest.read(file)
        return Check(hop, "wrong", f"It starts {found.path if found else 'something else'}, not {launcher}.", SETUP)
    if file.read_bytes() != manifest.content(launcher):
        return Check(hop, "wrong", f"{file} is not as setup writes it.", SETUP)
    return Check(hop, "ok", str(file))


def _confined(browsers: Iterable[Installed]) -> list[Check]:
    return [
        Check(f"{browser.name} ({browser.confined})", "note", "It cannot start a native host.", browser.advice)
        for browser in browsers
        if browser.confined
    ]


def _neighbours(browsers: Iterable[Installed]) -> list[Check]:
    checks: list[Check] = []
    for browser in browsers:
        if hosts := sorted({name for folder in browser.host_folders for name in neighbours.hosts(folder)}):
            detail = f"Also here: {', '.join(hosts)}. They have other names than ours and do no harm."
            checks.append(Check(f"other hosts of {browser.name}", "note", detail))
        if others := neighbours.debuggers(browser.user_data):
            detail = f"{', '.join(others)} can debug tabs as Freehold does. A tab takes one at a time."
            fix = "Nothing, unless a tab is said to have another debugger: then use another tab."
            checks.append(Check(f"other extensions of {browser.name}", "note", detail, fix))
    return checks


async def _connections(installation: Installation, greet: Greet) -> list[Check]:
    try:
        key = pairing.read(paths.pairing_key(installation.home))
        sockets = endpoint.sockets(paths.run_folder(installation.home))
    except FreeholdError as error:
        return [Check("connection", "wrong", error.message, SETUP)]
    if not sockets:
        folder = paths.extension(installation.home)
        load = f"Open chrome://extensions, switch on Developer mode, click Load unpacked, choose {folder}"
        fix = f"{load} — or run: freehold browser launch"
        return [Check("connection", "wrong", "No running browser has the extension.", fix)]
    build = extension_copy.build(paths.extension(installation.home))
    return [await _connection(socket, key, build, greet) for socket in sockets]


async def _connection(socket: Path, key: bytes, build: str, greet: Greet) -> Check:
    hop = f"connection {socket.stem}"
    try:
        hello = await greet(socket, key)
    except FreeholdError as error:
        return Check(hop, "wrong", error.message, "Restart the browser; if that does not help, run: freehold setup")
    seen = f"{hello.get('browser')}, extension {hello.get('version')}, protocol {hello.get('protocol')}"
    if hello.get("protocol") != PROTOCOL or hello.get("version") != __version__:
        return Check(hop, "wrong", f"{seen}; this is {__version__}, protocol {PROTOCOL}.", f"{RELOAD} ({SETUP} first)")
    # A browser of our own runs the extension as shipped, which has no build; only a copy can have been left behind.
    if hello.get("build") and hello["build"] != build:
        return Check(hop, "wrong", f"{seen}, build {hello['build']}; the folder holds {build}.", RELOAD)
    return Check(hop, "ok", seen)
